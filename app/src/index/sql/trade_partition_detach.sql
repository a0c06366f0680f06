-- Takes the trades of an old partition out of the index, for the owner of the tables (docs/run.md). They go into a table of
-- their own, whose name it gives. In their place it leaves what the index continues from: of each token, the trades of its newest
-- slot on the curve and in the pool. Reads and writes wait only for the exchange at the end, and no longer than `lock_timeout`.
CREATE OR REPLACE FUNCTION trade_partition_detach(p_name text) RETURNS text LANGUAGE plpgsql
SET search_path = public, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  detached CONSTANT text := replace(p_name, 'trade_rows_', 'detached_trades_');
  what_stays CONSTANT text := p_name || '_left';
  bounds text[];
  newest record;
BEGIN
  SELECT regexp_match(pg_get_expr(c.relpartbound, c.oid), $re$FROM \('(\d+)'\) TO \('(\d+)'\)$re$) INTO bounds
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'trade_rows'::regclass AND c.relname = p_name;
  IF bounds IS NULL THEN
    RAISE EXCEPTION 'trade_rows has no partition %', quote_ident(p_name) USING HINT = 'docs/run.md lists them';
  END IF;
  IF p_name LIKE '%\_left' THEN
    RAISE EXCEPTION '% is what was left of a detached partition', p_name;
  END IF;
  IF EXISTS (SELECT 1 FROM unfinalized u WHERE u.id < bounds[2]::bigint) THEN
    RAISE EXCEPTION '% has trades that are not final yet', p_name USING HINT = 'Try again in a minute.';
  END IF;
  EXECUTE format('SELECT max(slot) AS slot, max("timestamp") AS at FROM %I', p_name) INTO newest;
  IF newest.at IS NULL THEN
    RAISE EXCEPTION '% has no trades', p_name;
  END IF;
  IF newest.at >= (SELECT minutes_from FROM market_state) THEN
    RAISE EXCEPTION '% has trades of a time whose charts are still made of minutes', p_name
      USING HINT = 'Minutes are deleted after MINUTE_CANDLES_DAYS. Wait until then.';
  END IF;
  IF newest.slot >= (SELECT coalesce(max(scanned_slot), 0) FROM indexer_state) THEN
    RAISE EXCEPTION 'the index has not read the chain beyond slot %, the last one of %', newest.slot, p_name
      USING HINT = 'Wait until /ready says that the index is up to date.';
  END IF;

  PERFORM trade_partition_make(what_stays);
  EXECUTE format('INSERT INTO %I SELECT t.* FROM %I t JOIN (
      SELECT DISTINCT ON (mint_id, in_pool) mint_id, in_pool, slot FROM %2$I ORDER BY mint_id, in_pool, id DESC
    ) newest USING (mint_id, in_pool, slot) ORDER BY t.id', what_stays, p_name);
  EXECUTE format('ANALYZE %I', what_stays);
  EXECUTE format('ALTER TABLE trade_rows DETACH PARTITION %I', p_name);
  EXECUTE format('ALTER TABLE trade_rows ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', what_stays, bounds[1], bounds[2]);
  EXECUTE format('ALTER TABLE %I RENAME TO %I', p_name, detached);
  RETURN detached;
END $$;
