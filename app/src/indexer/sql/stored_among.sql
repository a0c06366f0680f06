-- Which of these transactions have records. Without statistics, which a new database lacks at first and an embedded one always,
-- PostgreSQL would read all trades.
CREATE OR REPLACE FUNCTION stored_among(p_signatures text[]) RETURNS TABLE (signature text, slot bigint, finalized boolean)
LANGUAGE sql STABLE SET enable_seqscan = off AS $$
  SELECT DISTINCT r.signature, r.slot, r.finalized FROM records r WHERE r.signature = ANY (p_signatures)
$$;
