-- Totals of each partner's users, kept as the users change: nobody has to read every user for them.
CREATE TABLE "partner_totals" (
	"partner_id" bigint PRIMARY KEY NOT NULL,
	"users" bigint DEFAULT 0 NOT NULL,
	"trades" bigint DEFAULT 0 NOT NULL,
	"volume_sol" numeric(39, 0) DEFAULT 0 NOT NULL,
	"fees_sol" numeric(39, 0) DEFAULT 0 NOT NULL,
	"reward_sol" numeric(39, 0) DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "partner_totals" ADD CONSTRAINT "partner_totals_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
INSERT INTO partner_totals (partner_id, users, trades, volume_sol, fees_sol, reward_sol)
SELECT partner_id, count(*), sum(trades), sum(volume_sol), sum(fees_sol), sum(reward_sol) FROM partner_users GROUP BY partner_id;
--> statement-breakpoint
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
