ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_kind, DROP CONSTRAINT ledger_accounts_origin, DROP CONSTRAINT ledger_accounts_owner,
  ADD CONSTRAINT ledger_accounts_kind CHECK (kind IN ('claimable', 'reserved', 'claimed', 'referral', 'settlement', 'volume')),
  ADD CONSTRAINT ledger_accounts_origin CHECK (origin IN ('referral', 'settlement', 'volume')),
  ADD CONSTRAINT ledger_accounts_owner CHECK ((owner IS NULL) = (kind IN ('referral', 'settlement', 'volume')));--> statement-breakpoint
ALTER TABLE ledger_totals DROP CONSTRAINT ledger_totals_kind, DROP CONSTRAINT ledger_totals_origin,
  ADD CONSTRAINT ledger_totals_kind CHECK (kind IN ('claimable', 'reserved', 'claimed', 'referral', 'settlement', 'volume')),
  ADD CONSTRAINT ledger_totals_origin CHECK (origin IN ('referral', 'settlement', 'volume'));--> statement-breakpoint
ALTER TABLE claims ADD COLUMN volume numeric(20,0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE pending_rewards ADD COLUMN origin text DEFAULT 'referral' NOT NULL,
  DROP CONSTRAINT pending_rewards_record_id_wallet_asset_pk,
  ADD CONSTRAINT pending_rewards_pkey PRIMARY KEY (record_id, wallet, origin),
  ADD CONSTRAINT pending_rewards_origin CHECK (origin IN ('referral', 'volume'));--> statement-breakpoint
ALTER TABLE treasury ADD COLUMN volume_reserved numeric(39,0) DEFAULT 0 NOT NULL, ADD COLUMN volume_settled numeric(39,0) DEFAULT 0 NOT NULL,
  ADD COLUMN volume_cover numeric(39,0) DEFAULT 0 NOT NULL,
  DROP CONSTRAINT treasury_cover, DROP CONSTRAINT treasury_signs,
  ADD CONSTRAINT treasury_cover CHECK (referral_cover + volume_cover <= referral_funded - referral_settled - volume_settled),
  ADD CONSTRAINT treasury_signs CHECK (reserved >= 0 AND costs >= 0 AND referral_reserved >= 0 AND referral_settled >= 0
    AND volume_reserved >= 0 AND volume_settled >= 0);--> statement-breakpoint
CREATE TABLE fee_shares (
  mint text COLLATE "C" NOT NULL,
  creator text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  wallets text[] COLLATE "C" DEFAULT '{}' NOT NULL,
  parts integer[] DEFAULT '{}' NOT NULL,
  slot bigint NOT NULL,
  message text NOT NULL,
  signed text NOT NULL,
  signature text COLLATE "C" NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT fee_shares_pkey PRIMARY KEY (mint, creator),
  CONSTRAINT fee_shares_kind CHECK (kind IN ('creator', 'split', 'traders')),
  CONSTRAINT fee_shares_parts CHECK (cardinality(wallets) = cardinality(parts) AND (kind = 'split') = (cardinality(parts) > 0))
);--> statement-breakpoint
CREATE INDEX fee_shares_of_slot ON fee_shares (slot);--> statement-breakpoint
CREATE TABLE volume_rates (
  from_slot bigint NOT NULL,
  share_bps integer NOT NULL,
  CONSTRAINT volume_rates_pkey PRIMARY KEY (from_slot),
  CONSTRAINT volume_rates_share CHECK (share_bps BETWEEN 0 AND 10000)
);--> statement-breakpoint
CREATE TABLE volume_rewards (
  mint text COLLATE "C" NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  accrued numeric(39,0) NOT NULL,
  credited numeric(39,0) NOT NULL,
  CONSTRAINT volume_rewards_pkey PRIMARY KEY (mint, wallet),
  CONSTRAINT volume_rewards_amounts CHECK (accrued >= 0 AND credited >= 0)
) WITH (fillfactor=70)
