-- Books fees that were moved to the treasury; false when that is booked already. They cover what is owed to partners now, then the
-- volume rewards that are owed, unless they may have been used before this booking. The rest is the operator's, until
-- `treasury_cover` takes it.
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
    settled_slot = greatest(t.settled_slot, p_slot)
  WHERE t.asset = 'SOL';
  PERFORM treasury_divide(p_amount) FROM treasury t WHERE t.asset = 'SOL' AND p_slot > t.spent_slot;
  RETURN true;
END $$;
