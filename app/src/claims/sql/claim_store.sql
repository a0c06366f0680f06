-- Stores a claim: reserves its amount and the cover for it, or nothing. One statement does all of this, so that a process that
-- freezes in the middle of a claim holds no lock (docs/decisions/claims.md). Refusals are the errors of
-- claim_refuse.sql. Locks are taken in the order of every other statement on claims: the claim, the wallet's accounts, the
-- treasury's row of the token, its row of SOL; the last for no longer than the commit.
-- A claim that leaves less than the rewards that fees back may use fees that have arrived and are not booked: `spent_slot` says so.
-- `p_kept`: the answer to keep under an idempotency key. `p_funds`: the treasury, its finalized balances and their slot.
-- It runs with its owner's rights, so that the process which pays claims cannot write the ledger in another way.
-- A claim that outlives the time for which this database certainly pays from the treasury is refused (payer/decide.ts).
CREATE OR REPLACE FUNCTION claim_store(p_claim claims, p_kept jsonb, p_funds jsonb) RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  reserved record;
  from_settlement numeric := 0;
  from_referral numeric := 0;
  from_volume numeric := 0;
  sol treasury;
  settlements numeric := settlements_owed((p_funds->>'slot')::bigint);
  by_fees numeric := credits_owed('referral') + credits_owed('volume');
  held text;
  reason claim_refusal;
BEGIN
  IF p_claim.state <> 'IN_PROGRESS' OR p_claim.network_fee < 0 OR p_claim.rent < 0 THEN
    RAISE EXCEPTION 'a new claim is in progress, and its fee and rent are not negative' USING ERRCODE = 'check_violation';
  END IF;
  -- An instance of an earlier build knows no volume rewards.
  p_claim.volume := coalesce(p_claim.volume, 0);
  held := payments_held();
  IF held IS NOT NULL THEN
    PERFORM claim_refuse('held', held);
  END IF;
  PERFORM 1 FROM payer_marks m
  WHERE m.treasury = p_funds->>'treasury' AND coalesce(m.valid_to, -1) < p_claim.last_valid_block_height;
  IF FOUND THEN
    PERFORM claim_refuse('held', 'it is not certain on chain that this database pays from the treasury');
  END IF;
  IF p_kept IS NOT NULL THEN
    INSERT INTO idempotency_keys AS k (wallet, key, request_hash, body, expires_at)
    VALUES (p_claim.wallet, p_kept->>'key', p_kept->>'requestHash', p_kept->>'body', (p_kept->>'expiresAt')::timestamptz)
    ON CONFLICT (wallet, key) DO UPDATE SET request_hash = excluded.request_hash, body = excluded.body,
      expires_at = excluded.expires_at
      WHERE k.expires_at <= (p_kept->>'now')::timestamptz;
    IF NOT FOUND THEN
      PERFORM claim_refuse('key taken');
    END IF;
  END IF;

  INSERT INTO claims SELECT p_claim.* ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    PERFORM 1 FROM claims WHERE wallet = p_claim.wallet AND mint = p_claim.mint AND state = 'IN_PROGRESS';
    IF FOUND THEN reason := 'in progress'; ELSE reason := 'other amount'; END IF;
    PERFORM claim_refuse(reason);
  END IF;

  FOR reserved IN
    SELECT r.origin, r.amount
    FROM ledger_reserve('claim:' || p_claim.signature || ':reserve', p_claim.wallet, p_claim.mint, p_claim.asset,
      ARRAY(SELECT part.origin FROM (VALUES ('settlement', p_claim.amount - p_claim.referral - p_claim.volume),
        ('referral', p_claim.referral), ('volume', p_claim.volume)) AS part(origin, amount) WHERE part.amount > 0)) r
  LOOP
    CASE reserved.origin
      WHEN 'referral' THEN from_referral := reserved.amount;
      WHEN 'volume' THEN from_volume := reserved.amount;
      ELSE from_settlement := reserved.amount;
    END CASE;
  END LOOP;
  IF p_claim.amount = 0 OR from_referral <> p_claim.referral OR from_volume <> p_claim.volume
    OR from_settlement <> p_claim.amount - p_claim.referral - p_claim.volume
  THEN
    PERFORM claim_refuse('other amount');
  END IF;

  IF p_claim.asset = 'TOKEN' THEN
    INSERT INTO treasury AS t (asset, reserved) SELECT p_claim.mint, 0 ON CONFLICT DO NOTHING;
    UPDATE treasury t SET reserved = t.reserved + p_claim.amount
    WHERE t.asset = p_claim.mint
      AND (p_funds IS NULL OR (t.settled_slot <= (p_funds->>'slot')::bigint
        AND t.reserved + p_claim.amount <= (p_funds->>'tokens')::numeric));
    IF NOT FOUND THEN
      PERFORM 1 FROM treasury t WHERE t.asset = p_claim.mint AND t.settled_slot > (p_funds->>'slot')::bigint;
      IF FOUND THEN reason := 'stale balance'; ELSE reason := 'short of tokens'; END IF;
      PERFORM claim_refuse(reason);
    END IF;
    UPDATE treasury t SET costs = t.costs + p_claim.network_fee + p_claim.rent,
      spent_slot = CASE WHEN t.costs + p_claim.network_fee + p_claim.rent + settlements + by_fees
        > (p_funds->>'lamports')::numeric THEN greatest(t.spent_slot, (p_funds->>'slot')::bigint) ELSE t.spent_slot END
    WHERE t.asset = 'SOL'
      AND (p_funds IS NULL OR (t.settled_slot <= (p_funds->>'slot')::bigint
        AND t.costs + p_claim.network_fee + p_claim.rent + settlements
          + greatest(t.referral_cover, 0) + greatest(t.volume_cover, 0) <= (p_funds->>'lamports')::numeric));
  ELSE
    -- A reward of one origin never uses lamports that another one is owed.
    UPDATE treasury t SET reserved = t.reserved + from_settlement, referral_reserved = t.referral_reserved + from_referral,
      volume_reserved = t.volume_reserved + from_volume,
      spent_slot = CASE WHEN from_settlement > 0 AND t.costs + t.reserved + from_settlement + by_fees
        > (p_funds->>'lamports')::numeric THEN greatest(t.spent_slot, (p_funds->>'slot')::bigint) ELSE t.spent_slot END
    WHERE t.asset = 'SOL'
      AND (from_referral = 0 OR t.referral_reserved + from_referral <= t.referral_cover)
      AND (from_volume = 0 OR t.volume_reserved + from_volume <= t.volume_cover)
      AND (p_funds IS NULL OR (t.settled_slot <= (p_funds->>'slot')::bigint
        AND (from_settlement = 0 OR t.costs + t.reserved + from_settlement + greatest(t.referral_cover, 0)
          + greatest(t.volume_cover, 0) <= (p_funds->>'lamports')::numeric)
        AND (from_referral = 0 OR t.costs + settlements + t.referral_reserved + from_referral + greatest(t.volume_cover, 0)
          <= (p_funds->>'lamports')::numeric)
        AND (from_volume = 0 OR t.costs + settlements + t.volume_reserved + from_volume + greatest(t.referral_cover, 0)
          <= (p_funds->>'lamports')::numeric)));
  END IF;
  IF NOT FOUND THEN
    SELECT * INTO sol FROM treasury t WHERE t.asset = 'SOL';
    IF sol.settled_slot > (p_funds->>'slot')::bigint THEN
      reason := 'stale balance';
    ELSIF (from_referral > 0 AND sol.referral_reserved + from_referral > sol.referral_cover)
      OR (from_volume > 0 AND sol.volume_reserved + from_volume > sol.volume_cover)
    THEN
      reason := 'referral not funded';
    ELSIF p_claim.asset = 'TOKEN' THEN
      reason := 'short of SOL for the network';
    ELSE
      reason := 'short of SOL';
    END IF;
    PERFORM claim_refuse(reason);
  END IF;
END $$;
