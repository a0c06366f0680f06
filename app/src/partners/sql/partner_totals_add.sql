-- Totals of each partner's users, kept as the users change (also by partner_totals_change.sql): no query reads every user.
CREATE OR REPLACE FUNCTION partner_totals_add() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO partner_totals AS t (partner_id, users, trades, volume_sol, fees_sol, reward_sol)
  SELECT partner_id, count(*), sum(trades), sum(volume_sol), sum(fees_sol), sum(reward_sol)
  FROM new_users GROUP BY partner_id ORDER BY partner_id
  ON CONFLICT (partner_id) DO UPDATE SET users = t.users + excluded.users, trades = t.trades + excluded.trades,
    volume_sol = t.volume_sol + excluded.volume_sol, fees_sol = t.fees_sol + excluded.fees_sol,
    reward_sol = t.reward_sol + excluded.reward_sol;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER partner_users_added AFTER INSERT ON partner_users
  REFERENCING NEW TABLE AS new_users FOR EACH STATEMENT EXECUTE FUNCTION partner_totals_add();
