-- Credits what trades come to that are final now. After a reindex they come again: nothing is credited until they come to more than
-- the ledger has. One posting for each token and wallet; the sum in its key says which.
CREATE OR REPLACE FUNCTION volume_credit(p_ids bigint[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  keys text[];
  entries ledger_entry[];
BEGIN
  WITH grown AS (
    INSERT INTO volume_rewards AS v (mint, wallet, accrued, credited)
    SELECT p.mint, p.wallet, sum(p.amount), 0 FROM volume_parts(p_ids) p GROUP BY p.mint, p.wallet ORDER BY p.mint, p.wallet
    ON CONFLICT (mint, wallet) DO UPDATE SET accrued = v.accrued + excluded.accrued
    RETURNING v.mint, v.wallet, v.accrued, v.credited
  ), due AS (
    SELECT concat_ws(':', 'volume', g.mint, g.wallet, g.accrued) AS key, g.mint, g.wallet, g.accrued - g.credited AS amount
    FROM grown g WHERE g.accrued > g.credited
  )
  SELECT (SELECT array_agg(d.key) FROM due d),
    (SELECT array_agg(ROW(d.key, side.kind, side.owner, d.mint, 'SOL', 'volume', side.amount)::ledger_entry)
      FROM due d CROSS JOIN LATERAL (VALUES ('claimable', d.wallet, d.amount), ('volume', NULL, -d.amount)) AS side(kind, owner, amount))
  INTO keys, entries;
  IF keys IS NULL THEN
    RETURN;
  END IF;
  UPDATE volume_rewards v SET credited = v.accrued
  FROM unnest(entries) e WHERE e.kind = 'claimable' AND v.mint = e.mint AND v.wallet = e.owner;
  IF cardinality(ledger_post(keys, entries)) <> cardinality(keys) THEN
    RAISE EXCEPTION 'volume rewards are booked already: %', keys USING ERRCODE = 'unique_violation';
  END IF;
END $$;
