-- What each wallet earns from these trades: `CREATOR_SHARE_BPS` of the fee, as it was in the trade's slot, for whom the creator chose.
-- Rounded down, for each trade and again for each wallet of a split: the rest is the operator's.
-- Each trade is looked up in the indexes: a plan that knows no number of trades would read all of them for each batch.
CREATE OR REPLACE FUNCTION volume_parts(p_ids bigint[]) RETURNS TABLE (record_id bigint, mint text, wallet text, amount numeric)
LANGUAGE sql STABLE SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  WITH traded AS (
    SELECT t.id, t.slot, t.fee, t.trader_id, (SELECT a.address FROM addresses a WHERE a.id = t.mint_id) AS mint
    FROM unnest(p_ids) AS given(id)
      CROSS JOIN LATERAL (SELECT r.* FROM trade_rows r WHERE r.id = given.id AND NOT r.in_pool LIMIT 1) t
  ), shared AS (
    SELECT t.id, t.mint, t.trader_id, k.creator, c.kind, c.wallets, c.parts, div(t.fee * rate.share_bps, 10000) AS share
    FROM traded t
      CROSS JOIN LATERAL (SELECT n.creator FROM tokens n WHERE n.mint = t.mint LIMIT 1) k
      CROSS JOIN LATERAL (
        SELECT r.share_bps FROM volume_rates r WHERE r.from_slot <= t.slot ORDER BY r.from_slot DESC LIMIT 1
      ) rate
      LEFT JOIN LATERAL (
        SELECT f.* FROM fee_shares f WHERE f.mint = t.mint AND f.creator = k.creator AND f.slot < t.slot LIMIT 1
      ) c ON true
  )
  SELECT p.* FROM (
    SELECT s.id, s.mint,
      CASE s.kind WHEN 'traders' THEN (SELECT a.address FROM addresses a WHERE a.id = s.trader_id) ELSE s.creator END, s.share
    FROM shared s WHERE s.kind IS DISTINCT FROM 'split'
    UNION ALL
    SELECT s.id, s.mint, part.wallet, div(s.share * part.bps, 10000)
    FROM shared s CROSS JOIN LATERAL unnest(s.wallets, s.parts) AS part(wallet, bps) WHERE s.kind = 'split'
  ) p(record_id, mint, wallet, amount) WHERE p.amount > 0
$$;
