-- Adds the partitions of trades that the ids taken so far need. It runs with its owner's rights, because a service's role changes no
-- tables. A call that is too early or repeated adds nothing. No reader or writer of trades waits for it.
CREATE OR REPLACE FUNCTION trade_partition_add() RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  size CONSTANT bigint := 10000000;
  most CONSTANT bigint := 10;
  first_id bigint := trade_partitions_end();
  name text;
BEGIN
  -- Only ids that nobody has stored yet may get a new partition: an empty one would hide that the old one is missing.
  name := 'trade_rows_' || first_id / size;
  IF to_regclass(name) IS NOT NULL
    OR EXISTS (SELECT 1 FROM curve_states WHERE last_record_id >= first_id)
    OR EXISTS (SELECT 1 FROM market_tokens WHERE last_id >= first_id) THEN
    RAISE EXCEPTION 'the partition % of trades is missing: it was dropped or detached', name
      USING HINT = 'curvekit doctor says how to repair it.';
  END IF;
  -- One batch of the index takes a small part of a partition. A sequence that somebody has moved must not make a thousand tables.
  IF (SELECT last_value FROM records_id_seq) >= first_id + most * size THEN
    RAISE EXCEPTION 'records_id_seq is at %, more than % partitions after the last one of trades', (SELECT last_value FROM records_id_seq), most
      USING HINT = 'docs/recover.md, IndexerBehind, says how to set it back.';
  END IF;
  WHILE first_id <= (SELECT last_value FROM records_id_seq) LOOP
    name := 'trade_rows_' || first_id / size;
    PERFORM trade_partition_make(name);
    EXECUTE format('ALTER TABLE trade_rows ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', name, first_id, first_id + size);
    first_id := first_id + size;
  END LOOP;
END $$;
