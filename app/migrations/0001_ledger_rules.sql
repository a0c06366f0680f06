-- Rules of the ledger that no code path can break. The triggers run once per statement, so that a hundred thousand
-- entries cost hardly more than their rows.

CREATE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
--> statement-breakpoint
CREATE TRIGGER ledger_postings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_postings
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_stay BEFORE DELETE OR TRUNCATE ON ledger_accounts
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
--> statement-breakpoint

-- Each statement's entries must sum to zero for each posting, token and asset; the balances follow in the same statement.
CREATE FUNCTION ledger_apply_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM new_entries e JOIN ledger_accounts a ON a.id = e.account_id
    GROUP BY e.posting_id, a.mint, a.asset HAVING sum(e.amount) <> 0
  ) THEN
    RAISE EXCEPTION 'the entries of a posting must sum to zero for each token and asset'
      USING ERRCODE = 'check_violation';
  END IF;
  -- In one order, so that two postings to the same accounts wait for each other instead of deadlocking.
  PERFORM 1 FROM ledger_accounts WHERE id IN (SELECT account_id FROM new_entries) ORDER BY id FOR NO KEY UPDATE;
  UPDATE ledger_accounts a SET balance = a.balance + d.amount
  FROM (SELECT account_id, sum(amount) AS amount FROM new_entries GROUP BY account_id) d
  WHERE a.id = d.account_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_entries_apply AFTER INSERT ON ledger_entries
  REFERENCING NEW TABLE AS new_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_apply_entries();
--> statement-breakpoint

-- A balance changes only by entries: by the trigger above, never by a statement of its own.
CREATE FUNCTION ledger_guard_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.balance <> 0 THEN
      RAISE EXCEPTION 'a ledger account begins with nothing' USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF pg_trigger_depth() < 2
    OR (NEW.id, NEW.kind, NEW.mint, NEW.asset) IS DISTINCT FROM (OLD.id, OLD.kind, OLD.mint, OLD.asset)
    OR NEW.owner IS DISTINCT FROM OLD.owner
  THEN
    RAISE EXCEPTION 'a ledger account changes only by entries' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_guard BEFORE INSERT OR UPDATE ON ledger_accounts
  FOR EACH ROW EXECUTE FUNCTION ledger_guard_account();
