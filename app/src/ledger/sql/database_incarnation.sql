-- Changes whenever this may be another database than before: a restart, a promoted standby and a copied folder have another
-- start of the server, a dump restored into the same server another database or other files.
CREATE OR REPLACE FUNCTION database_incarnation() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws(':', extract(epoch from pg_postmaster_start_time()),
    (SELECT oid FROM pg_database WHERE datname = current_database()), pg_relation_filenode('claims'::regclass))
$$;
