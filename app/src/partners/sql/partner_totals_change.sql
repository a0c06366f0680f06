CREATE OR REPLACE FUNCTION partner_totals_change() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
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

CREATE OR REPLACE TRIGGER partner_users_changed AFTER UPDATE ON partner_users
  REFERENCING OLD TABLE AS old_users NEW TABLE AS new_users FOR EACH STATEMENT EXECUTE FUNCTION partner_totals_change();
