-- Each statement's entries must sum to zero for each posting, token, asset and origin; balances and totals follow in the
-- same statement. PostgreSQL caches the plans of a function. A plan made while the ledger was small would read all accounts
-- for each posting later, so each entry looks its account up in the index.
CREATE OR REPLACE FUNCTION ledger_apply_entries() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM new_entries e JOIN ledger_accounts a ON a.id = e.account_id
    GROUP BY e.posting_id, a.mint, a.asset, a.origin HAVING sum(e.amount) <> 0
  ) THEN
    RAISE EXCEPTION 'the entries of a posting must sum to zero for each token, asset and origin'
      USING ERRCODE = 'check_violation';
  END IF;
  -- In one order, so that two postings to the same accounts wait for each other instead of deadlocking.
  PERFORM 1 FROM ledger_accounts WHERE id IN (SELECT account_id FROM new_entries) ORDER BY id FOR NO KEY UPDATE;
  WITH changed AS (
    UPDATE ledger_accounts a SET balance = a.balance + d.amount
    FROM (SELECT account_id, sum(amount) AS amount FROM new_entries GROUP BY account_id) d
    WHERE a.id = d.account_id
    RETURNING a.asset, a.origin, a.kind, d.amount
  )
  INSERT INTO ledger_totals (asset, origin, kind, amount)
  SELECT asset, origin, kind, sum(amount) FROM changed GROUP BY asset, origin, kind;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER ledger_entries_apply AFTER INSERT ON ledger_entries
  REFERENCING NEW TABLE AS new_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_apply_entries();
