-- Credits what trades come to that are final now, and shows that of those up to `p_shown_to` no longer. After a reindex they come again:
-- nothing is credited until they come to more than the ledger has. One posting for all; its key names a token and wallet of it, and
-- their sum. The index has one writer at a time, so that nobody changes these rows meanwhile.
CREATE OR REPLACE FUNCTION volume_credit(p_first bigint, p_last bigint, p_shown_to bigint) RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  posting text;
  entries ledger_entry[];
BEGIN
  WITH grown AS (
    SELECT e.mint, e.wallet, e.shown, coalesce(v.accrued, 0) + e.amount AS accrued, coalesce(v.credited, 0) AS credited
    FROM (
      SELECT p.mint, p.wallet, sum(p.amount) AS amount, sum(p.amount) FILTER (WHERE p.record_id <= p_shown_to) AS shown
      FROM volume_parts(p_first, p_last) p GROUP BY p.mint, p.wallet
    ) e LEFT JOIN LATERAL (SELECT r.* FROM volume_rewards r WHERE r.mint = e.mint AND r.wallet = e.wallet LIMIT 1) v ON true
  ), held AS (
    SELECT g.shown, w.* FROM grown g CROSS JOIN LATERAL (
      SELECT p.ctid AS place, p.amount FROM pending_rewards p
      WHERE p.record_id = -(SELECT a.id FROM addresses a WHERE a.address = g.mint) AND p.wallet = g.wallet AND p.origin = 'volume' LIMIT 1
    ) w WHERE g.shown IS NOT NULL
  ), less AS (
    UPDATE pending_rewards p SET amount = h.amount - h.shown FROM held h WHERE p.ctid = h.place AND h.amount > h.shown
  ), nothing AS (
    DELETE FROM pending_rewards p USING held h WHERE p.ctid = h.place AND h.amount <= h.shown
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
