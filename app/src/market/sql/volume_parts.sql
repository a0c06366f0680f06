-- What each wallet earns from these trades: `CREATOR_SHARE_BPS` of the fee, as it was in the trade's slot, for whom the creator chose.
-- Rounded down, for each trade and again for each wallet of a split: the rest is the operator's.
-- Everything is looked up in the indexes: a plan that knows no number of trades would read all of them for each batch. PL/pgSQL keeps the
-- plan: in SQL, planning each call costs more than a slot's trades. The bounds tell it which partitions it needs.
CREATE OR REPLACE FUNCTION volume_parts(p_first bigint, p_last bigint) RETURNS TABLE (record_id bigint, mint text, wallet text, amount numeric)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY WITH traded AS MATERIALIZED (
    SELECT t.id, t.slot, t.fee, t.trader_id, t.mint_id
    FROM trade_rows t WHERE t.id BETWEEN p_first AND p_last AND NOT t.in_pool
  ), chosen AS MATERIALIZED (
    SELECT m.mint_id, a.address AS mint, k.creator, c.kind, c.wallets, c.parts, c.slot
    FROM (SELECT DISTINCT t.mint_id FROM traded t) m
      CROSS JOIN LATERAL (SELECT n.address FROM addresses n WHERE n.id = m.mint_id LIMIT 1) a
      CROSS JOIN LATERAL (SELECT n.creator FROM tokens n WHERE n.mint = a.address LIMIT 1) k
      LEFT JOIN LATERAL (SELECT f.* FROM fee_shares f WHERE f.mint = a.address AND f.creator = k.creator LIMIT 1) c ON true
  ), rated AS MATERIALIZED (
    SELECT s.slot, rate.share_bps FROM (SELECT DISTINCT t.slot FROM traded t) s CROSS JOIN LATERAL (
        SELECT r.share_bps FROM volume_rates r WHERE r.from_slot <= s.slot ORDER BY r.from_slot DESC LIMIT 1) rate
  ), shared AS MATERIALIZED (
    SELECT t.id, c.mint, t.trader_id, c.creator, CASE WHEN c.slot < t.slot THEN c.kind END AS kind, c.wallets, c.parts,
      div(t.fee * rate.share_bps, 10000) AS share
    FROM traded t JOIN chosen c ON c.mint_id = t.mint_id JOIN rated rate ON rate.slot = t.slot
  )
  SELECT p.* FROM (
    SELECT s.id, s.mint,
      CASE s.kind WHEN 'traders' THEN (SELECT a.address FROM addresses a WHERE a.id = s.trader_id) ELSE s.creator END, s.share
    FROM shared s WHERE s.kind IS DISTINCT FROM 'split'
    UNION ALL
    SELECT s.id, s.mint, part.wallet, div(s.share * part.bps, 10000)
    FROM shared s CROSS JOIN LATERAL unnest(s.wallets, s.parts) AS part(wallet, bps) WHERE s.kind = 'split'
  ) p(record_id, mint, wallet, amount) WHERE p.amount > 0;
END $$
