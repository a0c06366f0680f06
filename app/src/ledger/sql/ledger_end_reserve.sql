-- Moves what a claim reserved to `claimed` or back to `claimable`; false when the key is booked already.
CREATE OR REPLACE FUNCTION ledger_end_reserve(
  p_key text, p_wallet text, p_mint text, p_asset text, p_settlement numeric, p_referral numeric, p_volume numeric, p_to text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  entries ledger_entry[];
BEGIN
  SELECT array_agg(ROW(p_key, side.kind, p_wallet, p_mint, p_asset, part.origin, side.sign * part.amount)::ledger_entry)
  INTO entries
  FROM (VALUES ('referral', p_referral), ('settlement', p_settlement), ('volume', p_volume)) AS part(origin, amount)
    CROSS JOIN (VALUES ('reserved', -1), (p_to, 1)) AS side(kind, sign);
  RETURN ledger_post(ARRAY[p_key], entries) <> '{}';
END $$;
