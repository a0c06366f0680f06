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

-- A new account's first entry comes right after it. With room left in its page, the changed balance needs no new entries in
-- the table's indexes.
ALTER TABLE ledger_accounts SET (fillfactor = 50);
--> statement-breakpoint

-- Each statement's entries must sum to zero for each posting, token, asset and origin; balances and totals follow in the
-- same statement. PostgreSQL caches the plans of a function. A plan made while the ledger was small would read all accounts
-- for each posting later, so each entry looks its account up in the index.
CREATE FUNCTION ledger_apply_entries() RETURNS trigger LANGUAGE plpgsql
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
    OR (NEW.id, NEW.kind, NEW.mint, NEW.asset, NEW.origin)
      IS DISTINCT FROM (OLD.id, OLD.kind, OLD.mint, OLD.asset, OLD.origin)
    OR NEW.owner IS DISTINCT FROM OLD.owner
  THEN
    RAISE EXCEPTION 'a ledger account changes only by entries' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_accounts_guard BEFORE INSERT OR UPDATE ON ledger_accounts
  FOR EACH ROW EXECUTE FUNCTION ledger_guard_account();
--> statement-breakpoint

-- Totals of each partner's users, kept as the users change: nobody has to read every user for them.
CREATE FUNCTION partner_totals_add() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO partner_totals AS t (partner_id, users, trades, volume_sol, fees_sol, reward_sol)
  SELECT partner_id, count(*), sum(trades), sum(volume_sol), sum(fees_sol), sum(reward_sol)
  FROM new_users GROUP BY partner_id ORDER BY partner_id
  ON CONFLICT (partner_id) DO UPDATE SET users = t.users + excluded.users, trades = t.trades + excluded.trades,
    volume_sol = t.volume_sol + excluded.volume_sol, fees_sol = t.fees_sol + excluded.fees_sol,
    reward_sol = t.reward_sol + excluded.reward_sol;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER partner_users_added AFTER INSERT ON partner_users
  REFERENCING NEW TABLE AS new_users FOR EACH STATEMENT EXECUTE FUNCTION partner_totals_add();
--> statement-breakpoint
CREATE FUNCTION partner_totals_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- In one order, so that two statements on the same partners wait for each other instead of deadlocking.
  PERFORM 1 FROM partner_totals WHERE partner_id IN (SELECT partner_id FROM new_users) ORDER BY partner_id FOR NO KEY UPDATE;
  UPDATE partner_totals t SET trades = t.trades + d.trades, volume_sol = t.volume_sol + d.volume_sol,
    fees_sol = t.fees_sol + d.fees_sol, reward_sol = t.reward_sol + d.reward_sol
  FROM (
    SELECT n.partner_id, sum(n.trades - o.trades) AS trades, sum(n.volume_sol - o.volume_sol) AS volume_sol,
      sum(n.fees_sol - o.fees_sol) AS fees_sol, sum(n.reward_sol - o.reward_sol) AS reward_sol
    FROM new_users n JOIN old_users o ON o.wallet = n.wallet GROUP BY n.partner_id
  ) d WHERE t.partner_id = d.partner_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER partner_users_changed AFTER UPDATE ON partner_users
  REFERENCING OLD TABLE AS old_users NEW TABLE AS new_users FOR EACH STATEMENT EXECUTE FUNCTION partner_totals_change();
--> statement-breakpoint

-- Its one row is locked while trades are booked: it must be there.
INSERT INTO market_state (lapsed_to) VALUES (0);
