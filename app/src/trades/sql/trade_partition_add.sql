-- Adds the partitions of trades that the ids taken so far need. It runs with its owner's rights, because a service's role changes no
-- tables. Who calls it too early or too often adds nothing. Nobody who reads or writes trades waits for it.
CREATE OR REPLACE FUNCTION trade_partition_add() RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  size CONSTANT bigint := 10000000;
  first_id bigint := trade_partitions_end();
  name text;
BEGIN
  WHILE first_id <= (SELECT last_value FROM records_id_seq) LOOP
    name := 'trade_rows_' || first_id / size;
    PERFORM trade_partition_make(name);
    EXECUTE format('ALTER TABLE trade_rows ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', name, first_id, first_id + size);
    first_id := first_id + size;
  END LOOP;
END $$;
