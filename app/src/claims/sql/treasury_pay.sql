-- Books a payment of the treasury: referral rewards take their cover first, and then other fees in the treasury.
CREATE OR REPLACE FUNCTION treasury_pay(p_asset text, p_referral numeric, p_slot bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE treasury t SET settled_slot = greatest(t.settled_slot, p_slot) WHERE t.asset = p_asset AND p_asset <> 'SOL';
  UPDATE treasury t SET settled_slot = greatest(t.settled_slot, p_slot),
    referral_settled = t.referral_settled + p_referral,
    referral_cover = greatest(t.referral_cover - p_referral,
      least(t.referral_funded - t.referral_settled - p_referral, 0))
  WHERE t.asset = 'SOL';
END $$;
