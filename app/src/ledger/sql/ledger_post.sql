-- The only writer of postings, accounts and entries. Books postings whose keys name their causes: each entry names the key of
-- its posting, and moves an amount into an account (positive) or out of it. Entries of 0 are omitted. Gives the keys that were
-- not booked before; the entries of other keys change nothing.
-- Locks are always taken in the same order, so that postings to the same accounts wait instead of deadlocking: keys, then
-- accounts by name, then balances by id (ledger_apply_entries.sql). Each account is looked up in the index, even while the
-- planner believes that the table is small. One plan serves any number of entries: planning each call costs more than a claim's entries.
CREATE OR REPLACE FUNCTION ledger_post(p_keys text[], p_entries ledger_entry[]) RETURNS text[] LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  keys text[];
  ids bigint[];
BEGIN
  -- Waits for a concurrent posting with the same key.
  WITH opened AS (
    INSERT INTO ledger_postings (key) SELECT key FROM unnest(p_keys) AS fresh(key) ORDER BY key
    ON CONFLICT DO NOTHING RETURNING id, key
  )
  SELECT array_agg(opened.key), array_agg(opened.id) INTO keys, ids FROM opened;
  IF keys IS NULL THEN
    RETURN '{}';
  END IF;

  INSERT INTO ledger_accounts (kind, owner, mint, asset, origin)
  SELECT DISTINCT e.kind, e.owner, e.mint, e.asset, e.origin
  FROM unnest(p_entries) AS e JOIN unnest(keys) AS opened(key) ON opened.key = e.key
  WHERE e.amount <> 0
  ORDER BY e.owner, e.mint, e.asset, e.kind, e.origin
  ON CONFLICT DO NOTHING;

  INSERT INTO ledger_entries (posting_id, account_id, amount)
  SELECT opened.id, account.id, e.amount
  FROM unnest(p_entries) AS e JOIN unnest(keys, ids) AS opened(key, id) ON opened.key = e.key
    CROSS JOIN LATERAL (
      SELECT a.id FROM ledger_accounts a WHERE a.owner = e.owner
        AND a.mint = e.mint AND a.asset = e.asset AND a.kind = e.kind AND a.origin = e.origin
      UNION ALL
      SELECT a.id FROM ledger_accounts a WHERE e.owner IS NULL AND a.owner IS NULL
        AND a.mint = e.mint AND a.asset = e.asset AND a.kind = e.kind AND a.origin = e.origin
      LIMIT 1
    ) AS account
  WHERE e.amount <> 0;
  RETURN keys;
END $$;
