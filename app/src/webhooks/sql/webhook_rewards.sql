-- One event for each reward, in the order of insertion, which is that of the chain.
CREATE OR REPLACE FUNCTION webhook_rewards() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  r referral_reward_rows;
  trader text;
BEGIN
  -- Cheap for a launchpad whose partners have no endpoint.
  IF NOT EXISTS (SELECT 1 FROM webhook_endpoints WHERE partner_id > 0) THEN
    RETURN NULL;
  END IF;
  FOR r IN SELECT * FROM new_rewards WHERE reward > 0 LOOP
    trader := (SELECT address FROM addresses WHERE id = r.user_id);
    PERFORM webhook_tell(concat_ws(':', r.signature, r."outer", r."inner"), 'reward.claimable', r.partner_id, trader, json_build_object(
      'user', trader, 'mint', (SELECT address FROM addresses WHERE id = r.mint_id), 'signature', r.signature,
      'fee', r.fee::text, 'reward', r.reward::text));
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER referral_rewards_told AFTER INSERT ON referral_reward_rows
  REFERENCING NEW TABLE AS new_rewards FOR EACH STATEMENT EXECUTE FUNCTION webhook_rewards();
