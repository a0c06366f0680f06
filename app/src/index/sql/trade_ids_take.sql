-- Takes consecutive ids for records and trades, and gives the last one. There is a partition for each of them.
CREATE OR REPLACE FUNCTION trade_ids_take(p_count bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  last bigint := setval('records_id_seq', nextval('records_id_seq') + p_count - 1);
BEGIN
  IF last >= trade_partitions_end() THEN
    PERFORM trade_partition_add();
  END IF;
  RETURN last;
END $$;
