-- Which of these transactions have records. Trades are found by the hash that makes each unique, so that they need no other index.
-- Without statistics, which a new database lacks at first and an embedded one always, PostgreSQL would read all trades.
CREATE OR REPLACE FUNCTION stored_among(p_signatures text[]) RETURNS TABLE (signature text, slot bigint, finalized boolean)
LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT DISTINCT r.signature, r.slot, NOT EXISTS (SELECT 1 FROM unfinalized u WHERE u.id = r.id) FROM (
    SELECT o.id, o.signature, o.slot FROM other_records o WHERE o.signature = ANY (p_signatures)
    UNION ALL
    SELECT t.id, t.signature, t.slot FROM unnest(p_signatures) s JOIN trade_rows t
      ON substr(sha256(t.signature::bytea), 1, 16) = substr(sha256(s::bytea), 1, 16) AND t.signature = s AND NOT t.in_pool
  ) r
$$;
