-- Lets fees in the treasury back what is owed: referral rewards first, then volume rewards. Gives the lamports that back something
-- now. The caller has locked the treasury's row of SOL.
CREATE OR REPLACE FUNCTION treasury_divide(p_fees numeric) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  referral numeric;
  volume numeric;
BEGIN
  SELECT least(p_fees, greatest(credits_owed('referral') - t.referral_cover, 0)) INTO referral FROM treasury t WHERE t.asset = 'SOL';
  SELECT least(p_fees - referral, greatest(credits_owed('volume') - t.volume_cover, 0)) INTO volume FROM treasury t WHERE t.asset = 'SOL';
  UPDATE treasury t SET referral_cover = t.referral_cover + referral, volume_cover = t.volume_cover + volume WHERE t.asset = 'SOL';
  RETURN referral + volume;
END $$;
