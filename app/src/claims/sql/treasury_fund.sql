-- Books fees that were moved to the treasury; false when that is booked already. They cover what partners are owed now, unless
-- they may have been used before this booking. The rest is the operator's, until `treasury_cover` takes it.
CREATE OR REPLACE FUNCTION treasury_fund(p_signature text, p_amount numeric, p_slot bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO treasury_fundings (signature, origin, amount, slot) VALUES (p_signature, 'referral', p_amount, p_slot)
  ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- Locked before the next statement reads what is owed: a payment lowers both together.
  PERFORM 1 FROM treasury WHERE asset = 'SOL' FOR NO KEY UPDATE;
  UPDATE treasury t SET referral_funded = t.referral_funded + p_amount,
    referral_cover = t.referral_cover + CASE WHEN p_slot <= t.spent_slot THEN 0
      ELSE least(p_amount, greatest(credits_owed('referral') - t.referral_cover, 0)) END,
    settled_slot = greatest(t.settled_slot, p_slot)
  WHERE t.asset = 'SOL';
  RETURN true;
END $$;
