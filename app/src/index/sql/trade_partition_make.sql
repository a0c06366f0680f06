-- Makes an empty table that can become a partition of trades. Its index of each trade once is its own: an index of the whole table
-- would need the id in its key.
CREATE OR REPLACE FUNCTION trade_partition_make(p_name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE trade_rows INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)', p_name);
  EXECUTE format('CREATE UNIQUE INDEX %I ON %I (substr(sha256(signature::bytea), 1, 16), "outer", "inner")', p_name || '_once', p_name);
END $$;
