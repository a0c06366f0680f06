-- Ends a claim in progress; false when it has ended already. `landed`: the slot of its transaction; null when it never landed.
CREATE OR REPLACE FUNCTION claim_end(p_signature text, p_state text, p_problem text, p_landed bigint, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  c claims;
BEGIN
  UPDATE claims SET state = p_state, problem = p_problem, updated_at = p_now
  WHERE signature = p_signature AND state = 'IN_PROGRESS' RETURNING * INTO c;
  IF c.signature IS NULL THEN
    RETURN false;
  END IF;
  IF NOT ledger_end_reserve('claim:' || c.signature || ':end', c.wallet, c.mint, c.asset, c.amount - c.referral - c.volume, c.referral, c.volume,
    CASE p_state WHEN 'COMPLETED' THEN 'claimed' ELSE 'claimable' END)
  THEN
    RAISE EXCEPTION 'the claim % is in progress, but its end is booked', c.signature;
  END IF;
  IF c.asset = 'TOKEN' THEN
    UPDATE treasury t SET reserved = t.reserved - c.amount, settled_slot = greatest(t.settled_slot, coalesce(p_landed, 0))
    WHERE t.asset = c.mint;
    UPDATE treasury t SET costs = t.costs - c.network_fee - c.rent,
      settled_slot = greatest(t.settled_slot, coalesce(p_landed, 0))
    WHERE t.asset = 'SOL';
  ELSE
    UPDATE treasury t SET reserved = t.reserved - (c.amount - c.referral - c.volume),
      referral_reserved = t.referral_reserved - c.referral, volume_reserved = t.volume_reserved - c.volume
    WHERE t.asset = 'SOL';
    IF p_state = 'COMPLETED' THEN
      PERFORM treasury_pay('SOL', c.referral, coalesce(p_landed, 0), c.volume);
    ELSE
      PERFORM treasury_pay('SOL', 0, coalesce(p_landed, 0));
    END IF;
  END IF;
  RETURN true;
END $$;
