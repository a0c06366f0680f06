-- Covers later rewards from fees that are in the treasury already, as far as a finalized balance shows lamports that are owed
-- to nobody. Gives the lamports covered: 0 when the balance is older than a payment.
CREATE OR REPLACE FUNCTION treasury_cover(p_lamports numeric, p_slot bigint) RETURNS numeric LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  covered numeric;
BEGIN
  PERFORM 1 FROM treasury WHERE asset = 'SOL' FOR NO KEY UPDATE;
  SELECT treasury_divide(greatest(0, least(
    t.referral_funded - t.referral_settled - t.volume_settled - t.referral_cover - t.volume_cover,
    p_lamports - settlements_owed(p_slot) - t.costs - greatest(t.referral_cover, 0) - greatest(t.volume_cover, 0))))
  INTO covered FROM treasury t WHERE t.asset = 'SOL' AND t.settled_slot <= p_slot;
  UPDATE treasury t SET spent_slot = greatest(t.spent_slot, p_slot) WHERE t.asset = 'SOL' AND covered > 0;
  RETURN coalesce(covered, 0);
END $$;
