-- What may be paid, and claims.
-- Changes whenever this may be another database than before: a restart, a promoted standby and a copied folder have another
-- start of the server, a dump restored into the same server another database or other files.
CREATE FUNCTION database_incarnation() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws(':', extract(epoch from pg_postmaster_start_time()),
    (SELECT oid FROM pg_database WHERE datname = current_database()), pg_relation_filenode('claims'::regclass))
$$;
--> statement-breakpoint

-- Whether the last pass of the reconciliation, which is valid for two minutes, ended too long ago.
CREATE FUNCTION payments_outdated(p_at timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(p_at < now() - interval '120 seconds', false)
$$;
--> statement-breakpoint

-- Null when payments may be made; else why not, in one line. A process that pays asks in the statement that stores the payment.
CREATE FUNCTION payments_held() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN gate.incarnation IS DISTINCT FROM database_incarnation() THEN
      'closed until the payments on chain are reconciled with this database, which was started, restored or not reconciled for two minutes: '
        || coalesce(gate.progress, 'waiting for an instance of the service to begin')
    WHEN gate.held IS NOT NULL THEN gate.held
    WHEN gate.reconciled_at IS NULL OR payments_outdated(gate.reconciled_at) THEN
      'closed: the payments on chain were last reconciled at ' || coalesce(
        to_char(gate.reconciled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC', 'no time')
        || coalesce(' (' || gate.progress || ')', '') || '; check that the service runs and its RPC_URL answers'
  END
  FROM (SELECT 1) AS one LEFT JOIN payments_gate AS gate ON gate.id = 1
$$;
--> statement-breakpoint

-- What claims in progress take of the treasury's SOL; a token's row comes with its first claim.
INSERT INTO treasury (asset) VALUES ('SOL');
--> statement-breakpoint
-- A claim is stored, and ended, by one statement: no lock on what all claims share is ever held while a process is waited
-- for, so that one that is frozen in the middle of a claim costs the others nothing.

-- Reserves all that is claimable of some origins under a key; gives the amounts back. Nothing when there is nothing.
CREATE FUNCTION ledger_reserve(p_key text, p_wallet text, p_mint text, p_asset text, p_origins text[])
RETURNS TABLE (origin text, amount numeric) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  posting bigint;
  taken jsonb;
BEGIN
  SELECT jsonb_agg(jsonb_build_object('id', held.id, 'origin', held.origin, 'amount', held.balance)) INTO taken
  FROM (
    SELECT a.id, a.origin, a.balance FROM ledger_accounts a
    WHERE a.owner = p_wallet AND a.mint = p_mint AND a.asset = p_asset AND a.kind = 'claimable'
      AND a.origin = ANY (p_origins)
    ORDER BY a.id FOR NO KEY UPDATE
  ) held WHERE held.balance > 0;
  IF taken IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO ledger_postings (key) VALUES (p_key) RETURNING id INTO posting;
  INSERT INTO ledger_accounts (kind, owner, mint, asset, origin)
  SELECT 'reserved', p_wallet, p_mint, p_asset, t.origin
  FROM jsonb_to_recordset(taken) AS t(id bigint, origin text, amount numeric) ORDER BY t.origin
  ON CONFLICT DO NOTHING;
  INSERT INTO ledger_entries (posting_id, account_id, amount)
  SELECT posting, t.id, -t.amount FROM jsonb_to_recordset(taken) AS t(id bigint, origin text, amount numeric)
  UNION ALL
  SELECT posting, a.id, t.amount FROM jsonb_to_recordset(taken) AS t(id bigint, origin text, amount numeric)
    JOIN ledger_accounts a ON a.owner = p_wallet AND a.mint = p_mint AND a.asset = p_asset AND a.kind = 'reserved'
      AND a.origin = t.origin;
  RETURN QUERY
    SELECT t.origin, t.amount FROM jsonb_to_recordset(taken) AS t(id bigint, origin text, amount numeric);
END $$;
--> statement-breakpoint

-- Moves what a claim reserved to `claimed` or back to `claimable`; false when the key is booked already.
CREATE FUNCTION ledger_end_reserve(
  p_key text, p_wallet text, p_mint text, p_asset text, p_settlement numeric, p_referral numeric, p_to text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  posting bigint;
BEGIN
  INSERT INTO ledger_postings (key) VALUES (p_key) ON CONFLICT DO NOTHING RETURNING id INTO posting;
  IF posting IS NULL THEN
    RETURN false;
  END IF;
  INSERT INTO ledger_accounts (kind, owner, mint, asset, origin)
  SELECT p_to, p_wallet, p_mint, p_asset, part.origin
  FROM (VALUES ('referral', p_referral), ('settlement', p_settlement)) AS part(origin, amount) WHERE part.amount > 0
  ON CONFLICT DO NOTHING;
  INSERT INTO ledger_entries (posting_id, account_id, amount)
  SELECT posting, a.id, CASE a.kind WHEN 'reserved' THEN -part.amount ELSE part.amount END
  FROM (VALUES ('referral', p_referral), ('settlement', p_settlement)) AS part(origin, amount)
    JOIN ledger_accounts a ON a.owner = p_wallet AND a.mint = p_mint AND a.asset = p_asset
      AND a.kind IN ('reserved', p_to) AND a.origin = part.origin
  WHERE part.amount > 0;
  RETURN true;
END $$;
--> statement-breakpoint

-- Credits wallets of a settlement in one posting: for each wallet lamports and units of the token, of which 0 are omitted.
-- False when the key is booked already. Each account is looked up in the index, even while the planner takes the table for small.
CREATE FUNCTION ledger_credit(p_key text, p_mint text, wallets text[], lamports numeric[], tokens numeric[])
RETURNS boolean LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  posting bigint;
BEGIN
  INSERT INTO ledger_postings (key) VALUES (p_key) ON CONFLICT DO NOTHING RETURNING id INTO posting;
  IF posting IS NULL THEN
    RETURN false;
  END IF;
  WITH part AS MATERIALIZED (
    SELECT wallet, asset, amount FROM unnest(wallets, lamports, tokens) AS c(wallet, sol, token)
      CROSS JOIN LATERAL (VALUES ('SOL', sol), ('TOKEN', token)) AS of_asset(asset, amount)
    WHERE amount > 0
  )
  INSERT INTO ledger_accounts (kind, owner, mint, asset, origin)
  SELECT kind, owner, p_mint, asset, 'settlement' FROM (
    SELECT 'claimable' AS kind, wallet AS owner, asset FROM part
    UNION ALL SELECT DISTINCT 'settlement', NULL, asset FROM part
  ) AS account ORDER BY owner, asset
  ON CONFLICT DO NOTHING;
  WITH part AS MATERIALIZED (
    SELECT wallet, asset, amount FROM unnest(wallets, lamports, tokens) AS c(wallet, sol, token)
      CROSS JOIN LATERAL (VALUES ('SOL', sol), ('TOKEN', token)) AS of_asset(asset, amount)
    WHERE amount > 0
  )
  INSERT INTO ledger_entries (posting_id, account_id, amount)
  SELECT posting, a.id, part.amount FROM part CROSS JOIN LATERAL (
    SELECT id FROM ledger_accounts WHERE owner = part.wallet AND mint = p_mint AND asset = part.asset AND kind = 'claimable'
      AND origin = 'settlement' LIMIT 1
  ) a
  UNION ALL
  SELECT posting, a.id, -total.amount FROM (SELECT asset, sum(amount) AS amount FROM part GROUP BY asset) total
    CROSS JOIN LATERAL (
      SELECT id FROM ledger_accounts WHERE owner IS NULL AND mint = p_mint AND asset = total.asset AND kind = 'settlement'
        AND origin = 'settlement' LIMIT 1
    ) a;
  RETURN true;
END $$;
--> statement-breakpoint

-- Stores a claim: reserves its amount and the cover for it, or nothing. A refusal is an error CK001 whose message is the
-- reason. Locks are taken in the order of every other statement on claims: the claim, the wallet's accounts, the
-- treasury's row of the token, its row of SOL; the last for no longer than the commit.
-- A claim that leaves less than partners are owed may use fees that have arrived and are not booked: `spent_slot` says so.
-- `kept`: the answer to keep under an idempotency key. `funds`: the treasury's finalized balances and the slot they are of.
CREATE FUNCTION claim_store(c claims, kept jsonb, funds jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  reserved record;
  from_settlement numeric := 0;
  from_referral numeric := 0;
  sol treasury;
  settlements numeric := settlements_owed((funds->>'slot')::bigint);
  partners numeric := credits_owed('referral');
  reason text;
BEGIN
  reason := payments_held();
  IF reason IS NOT NULL THEN
    RAISE EXCEPTION 'held: %', reason USING ERRCODE = 'CK001';
  END IF;
  IF kept IS NOT NULL THEN
    INSERT INTO idempotency_keys AS k (wallet, key, request_hash, status_code, body, expires_at)
    VALUES (c.wallet, kept->>'key', kept->>'requestHash', (kept->>'statusCode')::integer, kept->>'body',
      (kept->>'expiresAt')::timestamptz)
    ON CONFLICT (wallet, key) DO UPDATE SET request_hash = excluded.request_hash, status_code = excluded.status_code,
      body = excluded.body, expires_at = excluded.expires_at
      WHERE k.expires_at <= (kept->>'now')::timestamptz;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'key taken' USING ERRCODE = 'CK001';
    END IF;
  END IF;

  INSERT INTO claims SELECT c.* ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    PERFORM 1 FROM claims WHERE wallet = c.wallet AND mint = c.mint AND state = 'IN_PROGRESS';
    IF FOUND THEN reason := 'in progress'; ELSE reason := 'other amount'; END IF;
    RAISE EXCEPTION '%', reason USING ERRCODE = 'CK001';
  END IF;

  FOR reserved IN
    SELECT r.origin, r.amount FROM ledger_reserve('claim:' || c.signature || ':reserve', c.wallet, c.mint, c.asset,
      CASE WHEN c.referral = 0 THEN ARRAY['settlement'] WHEN c.referral = c.amount THEN ARRAY['referral']
        ELSE ARRAY['settlement', 'referral'] END) r
  LOOP
    IF reserved.origin = 'referral' THEN from_referral := reserved.amount; ELSE from_settlement := reserved.amount; END IF;
  END LOOP;
  IF c.amount = 0 OR from_referral <> c.referral OR from_settlement <> c.amount - c.referral THEN
    RAISE EXCEPTION 'other amount' USING ERRCODE = 'CK001';
  END IF;

  IF c.asset = 'TOKEN' THEN
    INSERT INTO treasury AS t (asset, reserved) SELECT c.mint, 0 ON CONFLICT DO NOTHING;
    UPDATE treasury t SET reserved = t.reserved + c.amount
    WHERE t.asset = c.mint
      AND (funds IS NULL OR (t.settled_slot <= (funds->>'slot')::bigint
        AND t.reserved + c.amount <= (funds->>'tokens')::numeric));
    IF NOT FOUND THEN
      PERFORM 1 FROM treasury t WHERE t.asset = c.mint AND t.settled_slot > (funds->>'slot')::bigint;
      IF FOUND THEN reason := 'stale balance'; ELSE reason := 'short of tokens'; END IF;
      RAISE EXCEPTION '%', reason USING ERRCODE = 'CK001';
    END IF;
    UPDATE treasury t SET costs = t.costs + c.network_fee + c.rent,
      spent_slot = CASE WHEN t.costs + c.network_fee + c.rent + settlements + partners
        > (funds->>'lamports')::numeric THEN greatest(t.spent_slot, (funds->>'slot')::bigint) ELSE t.spent_slot END
    WHERE t.asset = 'SOL'
      AND (funds IS NULL OR (t.settled_slot <= (funds->>'slot')::bigint
        AND t.costs + c.network_fee + c.rent + settlements
          + greatest(t.referral_cover, 0) <= (funds->>'lamports')::numeric));
  ELSE
    -- No kind of reward is paid from what the other is owed.
    UPDATE treasury t SET reserved = t.reserved + from_settlement, referral_reserved = t.referral_reserved + from_referral,
      spent_slot = CASE WHEN from_settlement > 0 AND t.costs + t.reserved + from_settlement + partners
        > (funds->>'lamports')::numeric THEN greatest(t.spent_slot, (funds->>'slot')::bigint) ELSE t.spent_slot END
    WHERE t.asset = 'SOL'
      AND (from_referral = 0 OR t.referral_reserved + from_referral <= t.referral_cover)
      AND (funds IS NULL OR (t.settled_slot <= (funds->>'slot')::bigint
        AND (from_settlement = 0 OR t.costs + t.reserved + from_settlement + greatest(t.referral_cover, 0)
          <= (funds->>'lamports')::numeric)
        AND (from_referral = 0 OR t.costs + settlements + t.referral_reserved + from_referral
          <= (funds->>'lamports')::numeric)));
  END IF;
  IF NOT FOUND THEN
    SELECT * INTO sol FROM treasury t WHERE t.asset = 'SOL';
    IF sol.settled_slot > (funds->>'slot')::bigint THEN
      reason := 'stale balance';
    ELSIF from_referral > 0 AND sol.referral_reserved + from_referral > sol.referral_cover THEN
      reason := 'referral not funded';
    ELSIF c.asset = 'TOKEN' THEN
      reason := 'short of SOL for the network';
    ELSE
      reason := 'short of SOL';
    END IF;
    RAISE EXCEPTION '%', reason USING ERRCODE = 'CK001';
  END IF;
END $$;
--> statement-breakpoint

-- Ends a claim in progress; false when it has ended already. `landed`: the slot of its transaction, null when it is in none.
CREATE FUNCTION claim_end(p_signature text, p_state text, p_problem text, p_landed bigint, p_now timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  c claims;
BEGIN
  UPDATE claims SET state = p_state, problem = p_problem, updated_at = p_now
  WHERE signature = p_signature AND state = 'IN_PROGRESS' RETURNING * INTO c;
  IF c.signature IS NULL THEN
    RETURN false;
  END IF;
  IF NOT ledger_end_reserve('claim:' || c.signature || ':end', c.wallet, c.mint, c.asset, c.amount - c.referral, c.referral,
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
    UPDATE treasury t SET reserved = t.reserved - (c.amount - c.referral),
      referral_reserved = t.referral_reserved - c.referral
    WHERE t.asset = 'SOL';
    PERFORM treasury_pay('SOL', CASE p_state WHEN 'COMPLETED' THEN c.referral ELSE 0 END, coalesce(p_landed, 0));
  END IF;
  RETURN true;
END $$;
--> statement-breakpoint

-- Credits the next wallets of a paid settlement, at most `wallets`; true when all are credited, by this call or an earlier one.
-- Credits are read in the index's order, since the planner does not know how many there are until the table is analyzed.
CREATE FUNCTION settlement_credit(p_settlement bigint, p_wallets integer) RETURNS boolean LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  paid settlements;
  wallets text[];
  lamports numeric[];
  tokens numeric[];
  is_done boolean;
BEGIN
  SELECT * INTO paid FROM settlements WHERE id = p_settlement AND state = 'paid' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN true;
  END IF;
  SELECT array_agg(c.wallet ORDER BY c.wallet), array_agg(c.sol ORDER BY c.wallet), array_agg(c.token ORDER BY c.wallet)
  INTO wallets, lamports, tokens FROM (
    SELECT wallet, sol, token FROM settlement_credits
    WHERE settlement_id = p_settlement AND wallet > coalesce(paid.credited_through, '') ORDER BY wallet LIMIT p_wallets
  ) c;
  IF wallets IS NOT NULL
    AND NOT ledger_credit('settlement:' || paid.id || ':' || wallets[1], paid.mint, wallets, lamports, tokens)
  THEN
    RAISE EXCEPTION 'the ledger has credits of settlement % from % on already, but the settlement does not say so',
      paid.id, wallets[1];
  END IF;
  is_done := coalesce(cardinality(wallets), 0) < p_wallets;
  -- In the transaction of the entries, so that the treasury's cover counts each lamport once at any time.
  UPDATE settlements SET state = CASE WHEN is_done THEN 'done' ELSE 'paid' END,
    credited_through = coalesce(wallets[cardinality(wallets)], paid.credited_through),
    sol_credited = paid.sol_credited + coalesce((SELECT sum(amount) FROM unnest(lamports) AS amount), 0), updated_at = now()
  WHERE id = p_settlement;
  RETURN is_done;
END $$;
