-- Credits the next wallets of a paid settlement, at most `p_wallets`; true when all are credited, by this call or an earlier
-- one. Credits are read in the index's order, since the planner does not know how many there are until the table is analyzed.
CREATE OR REPLACE FUNCTION settlement_credit(p_settlement bigint, p_wallets integer) RETURNS boolean LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  paid settlements;
  credits settlement_credits[];
  entries ledger_entry[];
  posting text;
  is_done boolean;
BEGIN
  SELECT * INTO paid FROM settlements WHERE id = p_settlement AND state = 'paid' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN true;
  END IF;
  SELECT array_agg(c ORDER BY c.wallet) INTO credits FROM (
    SELECT * FROM settlement_credits
    WHERE settlement_id = p_settlement AND wallet > coalesce(paid.credited_through, '') ORDER BY wallet LIMIT p_wallets
  ) c;
  IF credits IS NOT NULL THEN
    posting := 'settlement:' || paid.id || ':' || credits[1].wallet;
    WITH part AS (
      SELECT c.wallet, of_asset.asset, of_asset.amount FROM unnest(credits) AS c
        CROSS JOIN LATERAL (VALUES ('SOL', c.sol), ('TOKEN', c.token)) AS of_asset(asset, amount)
    )
    SELECT array_agg(ROW(posting, kind, owner, paid.mint, asset, 'settlement', amount)::ledger_entry) INTO entries FROM (
      SELECT 'claimable' AS kind, wallet AS owner, asset, amount FROM part
      UNION ALL SELECT 'settlement', NULL, asset, -sum(amount) FROM part GROUP BY asset
    ) AS moved;
    IF ledger_post(ARRAY[posting], entries) = '{}' THEN
      RAISE EXCEPTION 'the ledger has credits of settlement % from % on already, but the settlement does not say so',
        paid.id, credits[1].wallet;
    END IF;
  END IF;
  is_done := coalesce(cardinality(credits), 0) < p_wallets;
  -- In the transaction of the entries, so that the treasury's cover counts each lamport once at any time.
  UPDATE settlements SET state = CASE WHEN is_done THEN 'done' ELSE 'paid' END,
    credited_through = coalesce(credits[cardinality(credits)].wallet, paid.credited_through),
    sol_credited = paid.sol_credited + coalesce((SELECT sum(c.sol) FROM unnest(credits) AS c), 0), updated_at = now()
  WHERE id = p_settlement;
  RETURN is_done;
END $$;
