-- What each wallet earns from these trades: `CREATOR_SHARE_BPS` of the fee, as it was in the trade's slot, for whom the creator chose.
-- Rounded down, for each trade and again for each wallet of a split: the rest is the operator's.
CREATE OR REPLACE FUNCTION volume_parts(p_ids bigint[]) RETURNS TABLE (record_id bigint, mint text, wallet text, amount numeric)
LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  WITH shared AS (
    SELECT t.id, t.mint, t.trader, k.creator, c.kind, c.wallets, c.parts, div(t.fee * rate.share_bps, 10000) AS share
    FROM trades t JOIN tokens k ON k.mint = t.mint
      CROSS JOIN LATERAL (
        SELECT r.share_bps FROM volume_rates r WHERE r.from_slot <= t.slot ORDER BY r.from_slot DESC LIMIT 1
      ) rate
      LEFT JOIN fee_shares c ON c.mint = t.mint AND c.creator = k.creator AND c.slot < t.slot
    WHERE t.id = ANY (p_ids) AND t.venue = 'curve'
  )
  SELECT p.* FROM (
    SELECT s.id, s.mint, CASE s.kind WHEN 'traders' THEN s.trader ELSE s.creator END, s.share
    FROM shared s WHERE s.kind IS DISTINCT FROM 'split'
    UNION ALL
    SELECT s.id, s.mint, part.wallet, div(s.share * part.bps, 10000)
    FROM shared s CROSS JOIN LATERAL unnest(s.wallets, s.parts) AS part(wallet, bps) WHERE s.kind = 'split'
  ) p(record_id, mint, wallet, amount) WHERE p.amount > 0
$$;
