-- Reserves all that is claimable of some origins under a key; returns the amounts. Without anything claimable it returns no row.
CREATE OR REPLACE FUNCTION ledger_reserve(p_key text, p_wallet text, p_mint text, p_asset text, p_origins text[])
RETURNS TABLE (origin text, amount numeric) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  entries ledger_entry[];
BEGIN
  SELECT array_agg(ROW(p_key, side.kind, p_wallet, p_mint, p_asset, held.origin, side.sign * held.balance)::ledger_entry)
  INTO entries
  FROM (
    SELECT a.origin, a.balance FROM ledger_accounts a
    WHERE a.owner = p_wallet AND a.mint = p_mint AND a.asset = p_asset AND a.kind = 'claimable'
      AND a.origin = ANY (p_origins)
    ORDER BY a.id FOR NO KEY UPDATE
  ) held CROSS JOIN (VALUES ('claimable', -1), ('reserved', 1)) AS side(kind, sign)
  WHERE held.balance > 0;
  IF entries IS NULL THEN
    RETURN;
  END IF;
  IF ledger_post(ARRAY[p_key], entries) = '{}' THEN
    RAISE EXCEPTION 'the reserve % is booked already', p_key USING ERRCODE = 'unique_violation';
  END IF;
  RETURN QUERY SELECT e.origin, e.amount FROM unnest(entries) AS e WHERE e.kind = 'reserved';
END $$;
