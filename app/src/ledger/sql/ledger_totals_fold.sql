-- Merges at most some of the rows that postings have added to the totals, so that few rows must be read.
CREATE OR REPLACE FUNCTION ledger_totals_fold(p_rows integer) RETURNS void LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM ledger_totals
    WHERE id IN (SELECT id FROM ledger_totals ORDER BY id LIMIT p_rows FOR UPDATE SKIP LOCKED)
    RETURNING asset, origin, kind, amount
  )
  INSERT INTO ledger_totals (asset, origin, kind, amount)
  SELECT asset, origin, kind, sum(amount) FROM gone GROUP BY asset, origin, kind
$$;
