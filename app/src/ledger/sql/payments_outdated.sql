-- Whether the last pass of the reconciliation, which is valid for two minutes, ended too long ago.
CREATE OR REPLACE FUNCTION payments_outdated(p_at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(p_at < now() - interval '120 seconds', false)
$$;
