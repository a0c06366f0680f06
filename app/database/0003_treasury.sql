-- Fees in the treasury. `referral_cover` is the part of them that only referral rewards may use: never more than partners are
-- owed. See docs/decisions/claims-in-one-statement.md.

-- Lamports that were credited from a source (`settlement`, `referral`) and not paid yet.
CREATE FUNCTION credits_owed(p_origin text) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(amount), 0) FROM ledger_totals
  WHERE asset = 'SOL' AND origin = p_origin AND kind IN ('claimable', 'reserved')
$$;
--> statement-breakpoint

-- Lamports that the treasury owes for settlements, judged by a finalized balance of a slot: credited and not paid yet, those of
-- paid settlements and of settlements recovered from the chain, and those of open settlements whose transaction can be in that
-- balance. A transaction lands after the slot of its blockhash, and a failed one pays nothing.
CREATE FUNCTION settlements_owed(p_slot bigint) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT credits_owed('settlement')
    + (SELECT coalesce(sum(sol_holders + sol_creator_credited - sol_credited), 0) FROM settlements s
      WHERE state IN ('planned', 'paid') AND (state = 'paid' OR EXISTS (
        SELECT 1 FROM authority_transactions a
        WHERE a.subject = 'settlement:' || s.id AND a.state <> 'failed' AND coalesce(a.blockhash_slot, 0) <= p_slot)))
    + (SELECT coalesce(sum(sol_left), 0) FROM recovered_settlements)
$$;
--> statement-breakpoint

-- Books a payment of the treasury: referral rewards take their cover first, and then other fees in the treasury.
CREATE FUNCTION treasury_pay(p_asset text, p_referral numeric, p_slot bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE treasury t SET settled_slot = greatest(t.settled_slot, p_slot) WHERE t.asset = p_asset AND p_asset <> 'SOL';
  UPDATE treasury t SET settled_slot = greatest(t.settled_slot, p_slot),
    referral_settled = t.referral_settled + p_referral,
    referral_cover = greatest(t.referral_cover - p_referral,
      least(t.referral_funded - t.referral_settled - p_referral, 0))
  WHERE t.asset = 'SOL';
END $$;
--> statement-breakpoint

-- Books fees that were moved to the treasury; false when that is booked already. They cover what partners are owed now, unless
-- they may have been used before this booking. The rest is the operator's, until `treasury_cover` takes it.
CREATE FUNCTION treasury_fund(p_signature text, p_amount numeric, p_slot bigint) RETURNS boolean LANGUAGE plpgsql AS $$
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
--> statement-breakpoint

-- Covers later rewards from fees that are in the treasury already, as far as a finalized balance shows lamports that are owed
-- to nobody. Gives the lamports covered: 0 when the balance is older than a payment.
CREATE FUNCTION treasury_cover(p_lamports numeric, p_slot bigint) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  covered numeric;
BEGIN
  PERFORM 1 FROM treasury WHERE asset = 'SOL' FOR NO KEY UPDATE;
  SELECT greatest(0, least(credits_owed('referral') - t.referral_cover,
    t.referral_funded - t.referral_settled - t.referral_cover,
    p_lamports - settlements_owed(p_slot) - t.costs - greatest(t.referral_cover, 0)))
  INTO covered FROM treasury t WHERE t.asset = 'SOL' AND t.settled_slot <= p_slot;
  UPDATE treasury t SET referral_cover = t.referral_cover + covered, spent_slot = greatest(t.spent_slot, p_slot)
  WHERE t.asset = 'SOL' AND covered > 0;
  RETURN coalesce(covered, 0);
END $$;
