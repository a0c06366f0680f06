-- Credits what trades come to that are final now: what was pending for them, or was never shown. After a reindex they come again: nothing
-- is credited until they come to more than the ledger has. One posting for all; its key names a token and wallet of it, and their sum.
CREATE OR REPLACE FUNCTION volume_credit(p_ids bigint[]) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  posting text;
  entries ledger_entry[];
BEGIN
  WITH shown AS (
    DELETE FROM pending_rewards p WHERE p.record_id = ANY (p_ids) AND p.origin = 'volume' RETURNING p.record_id, p.mint, p.wallet, p.amount
  ), earned AS (
    SELECT * FROM shown
    UNION ALL SELECT * FROM volume_parts(ARRAY(SELECT unnest(p_ids) EXCEPT SELECT record_id FROM shown))
  ), grown AS (
    -- The index has one writer at a time, so that nobody changes these rows meanwhile.
    SELECT e.mint, e.wallet, coalesce(v.accrued, 0) + e.amount AS accrued, coalesce(v.credited, 0) AS credited
    FROM (SELECT o.mint, o.wallet, sum(o.amount) AS amount FROM earned o GROUP BY o.mint, o.wallet) e
      LEFT JOIN LATERAL (SELECT r.* FROM volume_rewards r WHERE r.mint = e.mint AND r.wallet = e.wallet LIMIT 1) v ON true
  ), kept AS (
    INSERT INTO volume_rewards (mint, wallet, accrued, credited)
    SELECT g.mint, g.wallet, g.accrued, greatest(g.accrued, g.credited) FROM grown g ORDER BY g.mint, g.wallet
    ON CONFLICT (mint, wallet) DO UPDATE SET accrued = excluded.accrued, credited = excluded.credited
  ), due AS (
    SELECT g.mint, g.wallet, g.accrued, g.accrued - g.credited AS amount FROM grown g WHERE g.accrued > g.credited
  ), named AS (
    SELECT concat_ws(':', 'volume', d.mint, d.wallet, d.accrued) AS key FROM due d ORDER BY d.mint, d.wallet LIMIT 1
  )
  SELECT min(n.key), array_agg(ROW(n.key, side.kind, side.owner, side.mint, 'SOL', 'volume', side.amount)::ledger_entry)
  INTO posting, entries
  FROM named n CROSS JOIN (
    SELECT 'claimable', d.wallet, d.mint, d.amount FROM due d
    UNION ALL SELECT 'volume', NULL, d.mint, -sum(d.amount) FROM due d GROUP BY d.mint
  ) AS side(kind, owner, mint, amount);
  IF posting IS NULL THEN
    RETURN;
  END IF;
  IF ledger_post(ARRAY[posting], entries) = '{}' THEN
    RAISE EXCEPTION 'volume rewards are booked already: %', posting USING ERRCODE = 'unique_violation';
  END IF;
END $$;
