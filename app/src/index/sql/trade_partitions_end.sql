-- The first id after all partitions of trades.
CREATE OR REPLACE FUNCTION trade_partitions_end() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(max(substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \('(\d+)'\)$re$)::bigint), 0)
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'trade_rows'::regclass
$$;
