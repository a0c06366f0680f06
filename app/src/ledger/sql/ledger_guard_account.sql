-- A balance changes only by entries: by ledger_apply_entries.sql, never by a statement of its own.
CREATE OR REPLACE FUNCTION ledger_guard_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.balance <> 0 THEN
      RAISE EXCEPTION 'a ledger account begins with nothing' USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF pg_trigger_depth() < 2
    OR (NEW.id, NEW.kind, NEW.mint, NEW.asset, NEW.origin)
      IS DISTINCT FROM (OLD.id, OLD.kind, OLD.mint, OLD.asset, OLD.origin)
    OR NEW.owner IS DISTINCT FROM OLD.owner
  THEN
    RAISE EXCEPTION 'a ledger account changes only by entries' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER ledger_accounts_guard BEFORE INSERT OR UPDATE ON ledger_accounts
  FOR EACH ROW EXECUTE FUNCTION ledger_guard_account();
