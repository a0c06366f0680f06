-- Books a payment of the treasury: rewards that fees back take their cover first, and then other fees in the treasury.
CREATE OR REPLACE FUNCTION treasury_pay(p_asset text, p_referral numeric, p_slot bigint, p_volume numeric DEFAULT 0)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  referral numeric;
  volume numeric;
  fees numeric;
BEGIN
  UPDATE treasury t SET settled_slot = greatest(t.settled_slot, p_slot) WHERE t.asset = p_asset AND p_asset <> 'SOL';
  SELECT t.referral_cover - p_referral, t.volume_cover - p_volume,
    t.referral_funded - t.referral_settled - t.volume_settled - p_referral - p_volume
  INTO referral, volume, fees FROM treasury t WHERE t.asset = 'SOL' FOR NO KEY UPDATE;
  referral := greatest(referral, least(fees - greatest(volume, 0), 0));
  volume := greatest(volume, least(fees - referral, 0));
  UPDATE treasury t SET settled_slot = greatest(t.settled_slot, p_slot),
    referral_settled = t.referral_settled + p_referral, volume_settled = t.volume_settled + p_volume,
    referral_cover = referral, volume_cover = volume
  WHERE t.asset = 'SOL';
END $$;
