-- What the migrations and the functions make, for reading. `npm run db:schema -w app` writes it, and a test compares it.
-- The bodies of the functions are in app/src/*/sql.

CREATE TYPE claim_refusal AS ENUM (
  'held',
  'key taken',
  'in progress',
  'other amount',
  'stale balance',
  'short of tokens',
  'short of SOL',
  'short of SOL for the network',
  'referral not funded'
);
CREATE TYPE ledger_entry AS (
  key text,
  kind text,
  owner text,
  mint text,
  asset text,
  origin text,
  amount numeric
);
CREATE TABLE api_keys (
  id text NOT NULL,
  partner_id bigint NOT NULL,
  secret_hash text NOT NULL,
  scopes text[] NOT NULL,
  request_limit integer,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  replaced_by text,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT api_keys_partner_id_partners_id_fk FOREIGN KEY (partner_id) REFERENCES partners(id),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_request_limit CHECK ((request_limit > 0))
);
CREATE TABLE authority_transactions (
  signature text COLLATE "C" NOT NULL,
  subject text NOT NULL,
  transaction text NOT NULL,
  blockhash_slot bigint,
  last_valid_block_height bigint NOT NULL,
  state text DEFAULT 'signed'::text NOT NULL,
  problem text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT authority_transactions_pkey PRIMARY KEY (signature),
  CONSTRAINT authority_transactions_state CHECK ((state = ANY (ARRAY['signed'::text, 'finalized'::text, 'failed'::text, 'expired'::text])))
);
CREATE TABLE candles (
  mint text COLLATE "C" NOT NULL,
  minute bigint NOT NULL,
  first_id bigint NOT NULL,
  open numeric(39,0) NOT NULL,
  high numeric(39,0) NOT NULL,
  low numeric(39,0) NOT NULL,
  close numeric(39,0) NOT NULL,
  volume numeric(39,0) NOT NULL,
  trades integer NOT NULL,
  CONSTRAINT candles_mint_minute_pk PRIMARY KEY (mint, minute)
);
CREATE TABLE claims (
  signature text COLLATE "C" NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  mint text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  amount numeric(20,0) NOT NULL,
  referral numeric(20,0) DEFAULT 0 NOT NULL,
  network_fee numeric(20,0) NOT NULL,
  burn boolean NOT NULL,
  opens_account boolean DEFAULT false NOT NULL,
  rent numeric(20,0) DEFAULT 0 NOT NULL,
  transaction text NOT NULL,
  blockhash_slot bigint NOT NULL,
  last_valid_block_height bigint NOT NULL,
  state text DEFAULT 'IN_PROGRESS'::text NOT NULL,
  problem text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT claims_pkey PRIMARY KEY (signature),
  CONSTRAINT claims_state CHECK ((state = ANY (ARRAY['IN_PROGRESS'::text, 'COMPLETED'::text, 'FAILED'::text, 'EXPIRED'::text])))
);
CREATE TABLE curve_migrations (
  record_id bigint NOT NULL,
  mint text COLLATE "C" NOT NULL,
  fee_account text COLLATE "C" NOT NULL,
  sol_amount numeric(20,0) NOT NULL,
  token_amount numeric(20,0) NOT NULL,
  "timestamp" bigint NOT NULL,
  CONSTRAINT curve_migrations_pkey PRIMARY KEY (record_id),
  CONSTRAINT curve_migrations_record_id_other_records_id_fk FOREIGN KEY (record_id) REFERENCES other_records(id) ON DELETE CASCADE
);
CREATE TABLE curve_states (
  mint text COLLATE "C" NOT NULL,
  status smallint NOT NULL,
  virtual_sol numeric(20,0) NOT NULL,
  virtual_token numeric(20,0) NOT NULL,
  buys bigint NOT NULL,
  sells bigint NOT NULL,
  sol_paid numeric(39,0) NOT NULL,
  sol_received numeric(39,0) NOT NULL,
  tokens_bought numeric(39,0) NOT NULL,
  tokens_sold numeric(39,0) NOT NULL,
  fees numeric(39,0) NOT NULL,
  last_record_id bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT curve_states_mint_tokens_mint_fk FOREIGN KEY (mint) REFERENCES tokens(mint) ON DELETE CASCADE,
  CONSTRAINT curve_states_pkey PRIMARY KEY (mint)
);
CREATE TABLE database_versions (
  id bigint DEFAULT nextval('database_versions_id_seq'::regclass) NOT NULL,
  hash text NOT NULL,
  functions jsonb NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT database_versions_pkey PRIMARY KEY (id)
);
CREATE TABLE graduations (
  record_id bigint NOT NULL,
  mint text COLLATE "C" NOT NULL,
  pool text COLLATE "C" NOT NULL,
  pool_sol numeric(20,0) NOT NULL,
  pool_token numeric(20,0) NOT NULL,
  community_sol numeric(20,0) NOT NULL,
  community_token numeric(20,0) NOT NULL,
  burnt numeric(20,0) NOT NULL,
  costs numeric(20,0) NOT NULL,
  "timestamp" bigint NOT NULL,
  CONSTRAINT graduations_pkey PRIMARY KEY (record_id),
  CONSTRAINT graduations_record_id_other_records_id_fk FOREIGN KEY (record_id) REFERENCES other_records(id) ON DELETE CASCADE
);
CREATE TABLE hidden_tokens (
  mint text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  hidden_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT hidden_tokens_pkey PRIMARY KEY (mint)
);
CREATE TABLE idempotency_keys (
  wallet text COLLATE "C" NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  status_code integer NOT NULL,
  body text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_keys_wallet_key_pk PRIMARY KEY (wallet, key)
);
CREATE TABLE indexer_anchors (
  slot bigint NOT NULL,
  signature text COLLATE "C" NOT NULL,
  CONSTRAINT indexer_anchors_pkey PRIMARY KEY (slot)
);
CREATE TABLE indexer_backlog (
  age bigint DEFAULT nextval('indexer_backlog_age_seq'::regclass) NOT NULL,
  signature text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  failed boolean NOT NULL,
  CONSTRAINT indexer_backlog_pkey PRIMARY KEY (age)
);
CREATE TABLE indexer_state (
  id smallint DEFAULT 1 NOT NULL,
  program_id text COLLATE "C" NOT NULL,
  version bigint DEFAULT 0 NOT NULL,
  signature text COLLATE "C",
  slot bigint,
  scanned_slot bigint,
  listed_to text COLLATE "C",
  listed boolean DEFAULT false NOT NULL,
  first_slot bigint,
  held text,
  mismatched_curves integer DEFAULT 0 NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT indexer_state_pkey PRIMARY KEY (id),
  CONSTRAINT indexer_state_single CHECK ((id = 1))
);
CREATE TABLE leases (
  name text NOT NULL,
  holder text NOT NULL,
  token bigint NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  session_pid integer NOT NULL,
  session_start timestamp with time zone NOT NULL,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);
CREATE TABLE ledger_accounts (
  id bigint DEFAULT nextval('ledger_accounts_id_seq'::regclass) NOT NULL,
  kind text NOT NULL,
  owner text COLLATE "C",
  mint text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  origin text NOT NULL,
  balance numeric(39,0) DEFAULT 0 NOT NULL,
  CONSTRAINT ledger_accounts_asset CHECK ((asset = ANY (ARRAY['SOL'::text, 'TOKEN'::text]))),
  CONSTRAINT ledger_accounts_kind CHECK ((kind = ANY (ARRAY['claimable'::text, 'reserved'::text, 'claimed'::text, 'referral'::text, 'settlement'::text]))),
  CONSTRAINT ledger_accounts_once UNIQUE NULLS NOT DISTINCT (owner, mint, asset, kind, origin),
  CONSTRAINT ledger_accounts_origin CHECK (((origin = ANY (ARRAY['referral'::text, 'settlement'::text])) AND ((owner IS NOT NULL) OR (kind = origin)))),
  CONSTRAINT ledger_accounts_owner CHECK (((owner IS NULL) = (kind = ANY (ARRAY['referral'::text, 'settlement'::text])))),
  CONSTRAINT ledger_accounts_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_accounts_sign CHECK (
CASE
    WHEN (owner IS NULL) THEN (balance <= (0)::numeric)
    ELSE (balance >= (0)::numeric)
END)
) WITH (fillfactor=50);
CREATE TABLE ledger_entries (
  id bigint DEFAULT nextval('ledger_entries_id_seq'::regclass) NOT NULL,
  posting_id bigint NOT NULL,
  account_id bigint NOT NULL,
  amount numeric(39,0) NOT NULL,
  CONSTRAINT ledger_entries_account_id_ledger_accounts_id_fk FOREIGN KEY (account_id) REFERENCES ledger_accounts(id),
  CONSTRAINT ledger_entries_amount CHECK ((amount <> (0)::numeric)),
  CONSTRAINT ledger_entries_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_entries_posting_id_ledger_postings_id_fk FOREIGN KEY (posting_id) REFERENCES ledger_postings(id)
);
CREATE TABLE ledger_postings (
  id bigint DEFAULT nextval('ledger_postings_id_seq'::regclass) NOT NULL,
  key text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT ledger_postings_pkey PRIMARY KEY (id)
);
CREATE TABLE ledger_totals (
  id bigint DEFAULT nextval('ledger_totals_id_seq'::regclass) NOT NULL,
  asset text NOT NULL,
  origin text NOT NULL,
  kind text NOT NULL,
  amount numeric(39,0) NOT NULL,
  CONSTRAINT ledger_totals_pkey PRIMARY KEY (id)
);
CREATE TABLE market_events (
  id bigint DEFAULT nextval('market_events_id_seq'::regclass) NOT NULL,
  mint text COLLATE "C",
  wallet text COLLATE "C",
  type text NOT NULL,
  data text NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT market_events_pkey PRIMARY KEY (id)
);
CREATE TABLE market_state (
  id smallint DEFAULT 1 NOT NULL,
  lapsed_to bigint NOT NULL,
  CONSTRAINT market_state_pkey PRIMARY KEY (id),
  CONSTRAINT market_state_single CHECK ((id = 1))
);
CREATE TABLE market_tokens (
  mint text COLLATE "C" NOT NULL,
  status smallint NOT NULL,
  initial_virtual_token numeric(20,0) NOT NULL,
  virtual_sol numeric(20,0) NOT NULL,
  virtual_token numeric(20,0) NOT NULL,
  market_cap numeric(39,0) NOT NULL,
  progress_bps integer NOT NULL,
  day_volume numeric(39,0) NOT NULL,
  day_open numeric(39,0) NOT NULL,
  trades bigint NOT NULL,
  last_trade_at bigint NOT NULL,
  created_id bigint NOT NULL,
  last_id bigint NOT NULL,
  CONSTRAINT market_tokens_mint_tokens_mint_fk FOREIGN KEY (mint) REFERENCES tokens(mint) ON DELETE CASCADE,
  CONSTRAINT market_tokens_pkey PRIMARY KEY (mint)
);
CREATE TABLE opened_accounts (
  owner text COLLATE "C" NOT NULL,
  mint text COLLATE "C" NOT NULL,
  subject text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT opened_accounts_owner_mint_pk PRIMARY KEY (owner, mint)
);
CREATE TABLE other_records (
  id bigint DEFAULT nextval('records_id_seq'::regclass) NOT NULL,
  signature text COLLATE "C" NOT NULL,
  "outer" smallint NOT NULL,
  "inner" smallint NOT NULL,
  slot bigint NOT NULL,
  kind text NOT NULL,
  mint text COLLATE "C",
  raw text,
  CONSTRAINT other_records_pkey PRIMARY KEY (id)
);
CREATE TABLE partner_totals (
  partner_id bigint NOT NULL,
  users bigint DEFAULT 0 NOT NULL,
  trades bigint DEFAULT 0 NOT NULL,
  volume_sol numeric(39,0) DEFAULT 0 NOT NULL,
  fees_sol numeric(39,0) DEFAULT 0 NOT NULL,
  reward_sol numeric(39,0) DEFAULT 0 NOT NULL,
  CONSTRAINT partner_totals_partner_id_partners_id_fk FOREIGN KEY (partner_id) REFERENCES partners(id),
  CONSTRAINT partner_totals_pkey PRIMARY KEY (partner_id)
);
CREATE TABLE partner_users (
  wallet text COLLATE "C" NOT NULL,
  partner_id bigint NOT NULL,
  signature text COLLATE "C" NOT NULL,
  registered_at timestamp with time zone DEFAULT now() NOT NULL,
  registered_slot bigint NOT NULL,
  trades bigint DEFAULT 0 NOT NULL,
  volume_sol numeric(39,0) DEFAULT 0 NOT NULL,
  fees_sol numeric(39,0) DEFAULT 0 NOT NULL,
  reward_sol numeric(39,0) DEFAULT 0 NOT NULL,
  CONSTRAINT partner_users_partner_id_partners_id_fk FOREIGN KEY (partner_id) REFERENCES partners(id),
  CONSTRAINT partner_users_pkey PRIMARY KEY (wallet)
);
CREATE TABLE partners (
  id bigint DEFAULT nextval('partners_id_seq'::regclass) NOT NULL,
  name text NOT NULL,
  payout_wallet text COLLATE "C" NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT partners_pkey PRIMARY KEY (id)
);
CREATE TABLE payer_marks (
  treasury text COLLATE "C" NOT NULL,
  mark text COLLATE "C",
  previous text COLLATE "C",
  opens_at bigint,
  valid_to bigint,
  held text,
  is_lost boolean DEFAULT false NOT NULL,
  CONSTRAINT payer_marks_pkey PRIMARY KEY (treasury)
);
CREATE TABLE payment_findings (
  signature text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  kind text NOT NULL,
  state text NOT NULL,
  detail text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT payment_findings_kind CHECK ((kind = ANY (ARRAY['claim'::text, 'settlement'::text, 'funding'::text, 'other'::text]))),
  CONSTRAINT payment_findings_pkey PRIMARY KEY (signature),
  CONSTRAINT payment_findings_state CHECK ((state = ANY (ARRAY['open'::text, 'booked'::text, 'accepted'::text, 'other'::text, 'unreadable'::text])))
);
CREATE TABLE payment_unread (
  id bigint DEFAULT nextval('payment_unread_id_seq'::regclass) NOT NULL,
  signature text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  is_own boolean DEFAULT false NOT NULL,
  CONSTRAINT payment_unread_pkey PRIMARY KEY (id),
  CONSTRAINT payment_unread_signature UNIQUE (signature)
);
CREATE TABLE payment_watches (
  address text COLLATE "C" NOT NULL,
  role text NOT NULL,
  signature text COLLATE "C",
  slot bigint,
  listed_slot bigint,
  listed_signature text COLLATE "C",
  listing_slot bigint,
  listing_signature text COLLATE "C",
  listing_before text COLLATE "C",
  CONSTRAINT payment_watches_address_role_pk PRIMARY KEY (address, role),
  CONSTRAINT payment_watches_role CHECK ((role = ANY (ARRAY['treasury'::text, 'dex owner'::text])))
);
CREATE TABLE payments_gate (
  id smallint DEFAULT 1 NOT NULL,
  incarnation text,
  reconciled_at timestamp with time zone,
  reconciled_slot bigint,
  held text,
  waiting_incarnation text,
  waiting_height bigint,
  progress text,
  unread bigint,
  CONSTRAINT payments_gate_pkey PRIMARY KEY (id),
  CONSTRAINT payments_gate_single CHECK ((id = 1))
);
CREATE TABLE pending_rewards (
  record_id bigint NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  mint text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  amount numeric(20,0) NOT NULL,
  CONSTRAINT pending_rewards_record_id_wallet_asset_pk PRIMARY KEY (record_id, wallet, asset)
);
CREATE TABLE positions (
  wallet text COLLATE "C" NOT NULL,
  mint text COLLATE "C" NOT NULL,
  amount numeric(39,0) NOT NULL,
  paid numeric(39,0) NOT NULL,
  received numeric(39,0) NOT NULL,
  trades bigint NOT NULL
);
CREATE TABLE recovered_payments (
  settlement_id bigint NOT NULL,
  signature text COLLATE "C" NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  sol numeric(20,0) NOT NULL,
  token numeric(20,0) NOT NULL,
  CONSTRAINT recovered_payments_settlement_id_recovered_settlements_settleme FOREIGN KEY (settlement_id) REFERENCES recovered_settlements(settlement_id),
  CONSTRAINT recovered_payments_settlement_id_signature_pk PRIMARY KEY (settlement_id, signature)
);
CREATE TABLE recovered_settlements (
  settlement_id bigint NOT NULL,
  mint text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  sol numeric(20,0) NOT NULL,
  token numeric(20,0) NOT NULL,
  sol_left numeric(20,0) NOT NULL,
  token_left numeric(20,0) NOT NULL,
  CONSTRAINT recovered_settlements_pkey PRIMARY KEY (settlement_id),
  CONSTRAINT recovered_settlements_settlement_id_settlements_id_fk FOREIGN KEY (settlement_id) REFERENCES settlements(id),
  CONSTRAINT recovered_settlements_sol CHECK (((sol_left >= (0)::numeric) AND (sol_left <= sol))),
  CONSTRAINT recovered_settlements_token CHECK (((token_left >= (0)::numeric) AND (token_left <= token)))
);
CREATE TABLE referral_rewards (
  signature text COLLATE "C" NOT NULL,
  "outer" smallint NOT NULL,
  "inner" smallint NOT NULL,
  partner_id bigint NOT NULL,
  "user" text COLLATE "C" NOT NULL,
  payout_wallet text COLLATE "C" NOT NULL,
  mint text COLLATE "C" NOT NULL,
  fee numeric(20,0) NOT NULL,
  share_bps integer NOT NULL,
  reward numeric(20,0) NOT NULL,
  CONSTRAINT referral_rewards_partner_id_partners_id_fk FOREIGN KEY (partner_id) REFERENCES partners(id)
);
CREATE TABLE registration_nonces (
  nonce text NOT NULL,
  partner_id bigint NOT NULL,
  message text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT registration_nonces_partner_id_partners_id_fk FOREIGN KEY (partner_id) REFERENCES partners(id),
  CONSTRAINT registration_nonces_pkey PRIMARY KEY (nonce)
);
CREATE TABLE settlement_credits (
  settlement_id bigint NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  balance numeric(39,0) NOT NULL,
  sol numeric(20,0) NOT NULL,
  token numeric(20,0) NOT NULL,
  CONSTRAINT settlement_credits_settlement_id_settlements_id_fk FOREIGN KEY (settlement_id) REFERENCES settlements(id),
  CONSTRAINT settlement_credits_settlement_id_wallet_pk PRIMARY KEY (settlement_id, wallet)
);
CREATE TABLE settlement_holders (
  settlement_id bigint NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  balance numeric(39,0) NOT NULL,
  CONSTRAINT settlement_holders_settlement_id_settlements_id_fk FOREIGN KEY (settlement_id) REFERENCES settlements(id),
  CONSTRAINT settlement_holders_settlement_id_wallet_pk PRIMARY KEY (settlement_id, wallet)
);
CREATE TABLE settlement_passes (
  id smallint DEFAULT 1 NOT NULL,
  passed_at timestamp with time zone NOT NULL,
  CONSTRAINT settlement_passes_pkey PRIMARY KEY (id),
  CONSTRAINT settlement_passes_single CHECK ((id = 1))
);
CREATE TABLE settlement_sample_chunks (
  sample_id bigint NOT NULL,
  chunk integer NOT NULL,
  wallets text[] NOT NULL,
  balances numeric[] NOT NULL,
  CONSTRAINT settlement_sample_chunks_sample_id_chunk_pk PRIMARY KEY (sample_id, chunk),
  CONSTRAINT settlement_sample_chunks_sample_id_settlement_samples_id_fk FOREIGN KEY (sample_id) REFERENCES settlement_samples(id) ON DELETE CASCADE
);
CREATE TABLE settlement_samples (
  id bigint DEFAULT nextval('settlement_samples_id_seq'::regclass) NOT NULL,
  settlement_id bigint NOT NULL,
  index integer NOT NULL,
  slot bigint,
  taken_at timestamp with time zone NOT NULL,
  CONSTRAINT settlement_samples_pkey PRIMARY KEY (id),
  CONSTRAINT settlement_samples_settlement_id_settlements_id_fk FOREIGN KEY (settlement_id) REFERENCES settlements(id)
);
CREATE TABLE settlement_seeds (
  settlement_id bigint NOT NULL,
  seed text NOT NULL,
  CONSTRAINT settlement_seeds_pkey PRIMARY KEY (settlement_id),
  CONSTRAINT settlement_seeds_settlement_id_settlements_id_fk FOREIGN KEY (settlement_id) REFERENCES settlements(id)
);
CREATE TABLE settlements (
  id bigint DEFAULT nextval('settlements_id_seq'::regclass) NOT NULL,
  mint text COLLATE "C" NOT NULL,
  state text DEFAULT 'sampling'::text NOT NULL,
  treasury text COLLATE "C",
  lp text COLLATE "C",
  creator text COLLATE "C" NOT NULL,
  sol numeric(20,0) DEFAULT 0 NOT NULL,
  sol_holders numeric(20,0) DEFAULT 0 NOT NULL,
  sol_lp numeric(20,0) DEFAULT 0 NOT NULL,
  sol_creator numeric(20,0) DEFAULT 0 NOT NULL,
  sol_creator_credited numeric(20,0) DEFAULT 0 NOT NULL,
  token numeric(20,0) DEFAULT 0 NOT NULL,
  token_burned numeric(20,0) DEFAULT 0 NOT NULL,
  token_holders numeric(20,0) DEFAULT 0 NOT NULL,
  token_lp numeric(20,0) DEFAULT 0 NOT NULL,
  token_creator numeric(20,0) DEFAULT 0 NOT NULL,
  token_creator_credited numeric(20,0) DEFAULT 0 NOT NULL,
  seed_hash text,
  seed text,
  started_at timestamp with time zone,
  started_slot bigint,
  period_ms bigint DEFAULT 0 NOT NULL,
  samples integer DEFAULT 0 NOT NULL,
  value numeric(39,0) DEFAULT 0 NOT NULL,
  opens_creator_account boolean DEFAULT false NOT NULL,
  snapshot_slot bigint,
  holders integer DEFAULT 0 NOT NULL,
  held numeric(39,0) DEFAULT 0 NOT NULL,
  signature text COLLATE "C",
  credited_through text COLLATE "C",
  sol_credited numeric(20,0) DEFAULT 0 NOT NULL,
  problem text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT settlements_done CHECK (((state = ANY (ARRAY['paid'::text, 'done'::text])) = (signature IS NOT NULL))),
  CONSTRAINT settlements_pkey PRIMARY KEY (id),
  CONSTRAINT settlements_sol CHECK ((sol = ((sol_holders + sol_lp) + sol_creator))),
  CONSTRAINT settlements_state CHECK ((state = ANY (ARRAY['sampling'::text, 'planned'::text, 'paid'::text, 'done'::text, 'failed'::text, 'abandoned'::text]))),
  CONSTRAINT settlements_token CHECK ((token = (((token_burned + token_holders) + token_lp) + token_creator)))
);
CREATE TABLE stored_files (
  hash text NOT NULL,
  kind text NOT NULL,
  bytes integer NOT NULL,
  stored_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT stored_files_pkey PRIMARY KEY (hash)
);
CREATE TABLE tasks (
  kind text NOT NULL,
  subject text COLLATE "C" NOT NULL,
  attempts integer NOT NULL,
  due_at timestamp with time zone NOT NULL,
  problem text,
  since timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT tasks_kind CHECK ((kind = ANY (ARRAY['funding'::text, 'graduation'::text, 'metadata'::text, 'pool'::text, 'settlement'::text]))),
  CONSTRAINT tasks_kind_subject_pk PRIMARY KEY (kind, subject)
);
CREATE TABLE token_metadata (
  mint text COLLATE "C" NOT NULL,
  uri text NOT NULL,
  image text NOT NULL,
  problem text,
  picture text,
  picture_problem text,
  document text,
  description text,
  links jsonb,
  fetched_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT token_metadata_pkey PRIMARY KEY (mint)
);
CREATE TABLE token_terms (
  term text COLLATE "C" NOT NULL,
  mint text COLLATE "C" NOT NULL,
  CONSTRAINT token_terms_mint_tokens_mint_fk FOREIGN KEY (mint) REFERENCES tokens(mint) ON DELETE CASCADE,
  CONSTRAINT token_terms_term_mint_pk PRIMARY KEY (term, mint)
);
CREATE TABLE tokens (
  mint text COLLATE "C" NOT NULL,
  record_id bigint NOT NULL,
  creator text COLLATE "C" NOT NULL,
  curve text COLLATE "C" NOT NULL,
  name text NOT NULL,
  symbol text NOT NULL,
  uri text NOT NULL,
  after_migration_fee_bps integer NOT NULL,
  burn_bps integer NOT NULL,
  holders_bps integer NOT NULL,
  lp_bps integer NOT NULL,
  initial_virtual_sol numeric(20,0) NOT NULL,
  initial_virtual_token numeric(20,0) NOT NULL,
  platform_fee_bps integer NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT tokens_pkey PRIMARY KEY (mint),
  CONSTRAINT tokens_record_id_other_records_id_fk FOREIGN KEY (record_id) REFERENCES other_records(id) ON DELETE CASCADE
);
CREATE TABLE trades (
  id bigint NOT NULL,
  venue text NOT NULL,
  signature text COLLATE "C" NOT NULL,
  "outer" smallint NOT NULL,
  "inner" smallint NOT NULL,
  slot bigint NOT NULL,
  mint text COLLATE "C" NOT NULL,
  trader text COLLATE "C" NOT NULL,
  is_buy boolean NOT NULL,
  sol_amount numeric(20,0) NOT NULL,
  token_amount numeric(20,0) NOT NULL,
  fee numeric(20,0) NOT NULL,
  virtual_sol numeric(20,0) NOT NULL,
  virtual_token numeric(20,0) NOT NULL,
  graduated boolean NOT NULL,
  "timestamp" bigint NOT NULL,
  CONSTRAINT trades_pkey PRIMARY KEY (id)
);
CREATE TABLE treasury (
  asset text COLLATE "C" NOT NULL,
  reserved numeric(39,0) DEFAULT 0 NOT NULL,
  costs numeric(39,0) DEFAULT 0 NOT NULL,
  referral_funded numeric(39,0) DEFAULT 0 NOT NULL,
  referral_reserved numeric(39,0) DEFAULT 0 NOT NULL,
  referral_settled numeric(39,0) DEFAULT 0 NOT NULL,
  referral_cover numeric(39,0) DEFAULT 0 NOT NULL,
  spent_slot bigint DEFAULT 0 NOT NULL,
  settled_slot bigint DEFAULT 0 NOT NULL,
  CONSTRAINT treasury_cover CHECK ((referral_cover <= (referral_funded - referral_settled))),
  CONSTRAINT treasury_pkey PRIMARY KEY (asset),
  CONSTRAINT treasury_signs CHECK (((reserved >= (0)::numeric) AND (costs >= (0)::numeric) AND (referral_reserved >= (0)::numeric) AND (referral_settled >= (0)::numeric)))
);
CREATE TABLE treasury_fundings (
  signature text COLLATE "C" NOT NULL,
  origin text NOT NULL,
  amount numeric(20,0) NOT NULL,
  slot bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT treasury_fundings_amount CHECK ((amount > (0)::numeric)),
  CONSTRAINT treasury_fundings_origin CHECK ((origin = 'referral'::text)),
  CONSTRAINT treasury_fundings_pkey PRIMARY KEY (signature)
);
CREATE TABLE unfinalized (
  id bigint NOT NULL,
  venue text NOT NULL,
  CONSTRAINT unfinalized_pkey PRIMARY KEY (id)
);
CREATE TABLE unreadable_transactions (
  signature text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  version integer,
  reason text NOT NULL,
  has_records boolean DEFAULT false NOT NULL,
  looks integer DEFAULT 0 NOT NULL,
  look_again_at timestamp with time zone DEFAULT (now() + '00:01:00'::interval) NOT NULL,
  seen_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT unreadable_transactions_pkey PRIMARY KEY (signature)
);
CREATE TABLE used_signatures (
  signature text COLLATE "C" NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT used_signatures_pkey PRIMARY KEY (signature)
);
CREATE VIEW records (
  id bigint,
  signature text,
  "outer" smallint,
  "inner" smallint,
  slot bigint,
  kind text,
  mint text,
  finalized boolean,
  raw text
);
CREATE INDEX api_keys_of_partner ON public.api_keys USING btree (partner_id);
CREATE INDEX api_keys_with_limit ON public.api_keys USING btree (id) WHERE ((request_limit IS NOT NULL) AND (revoked_at IS NULL));
CREATE INDEX authority_transactions_of_subject ON public.authority_transactions USING btree (subject, created_at);
CREATE UNIQUE INDEX authority_transactions_undecided ON public.authority_transactions USING btree (subject) WHERE (state = 'signed'::text);
CREATE INDEX candles_minute ON public.candles USING btree (minute);
CREATE INDEX claims_expired ON public.claims USING btree (updated_at) WHERE (state = 'EXPIRED'::text);
CREATE UNIQUE INDEX claims_in_progress ON public.claims USING btree (wallet, mint) WHERE (state = 'IN_PROGRESS'::text);
CREATE INDEX claims_of_wallet ON public.claims USING btree (wallet, created_at);
CREATE INDEX claims_open ON public.claims USING btree (created_at) WHERE (state = 'IN_PROGRESS'::text);
CREATE INDEX claims_opening_accounts ON public.claims USING btree (created_at) WHERE opens_account;
CREATE INDEX claims_paid ON public.claims USING btree (updated_at) WHERE (state = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text]));
CREATE UNIQUE INDEX curve_migrations_once ON public.curve_migrations USING btree (mint);
CREATE INDEX curve_states_waiting ON public.curve_states USING btree (updated_at) WHERE ((status = 2) OR ((status = 1) AND (virtual_token <= ('280000100000000'::bigint)::numeric)));
CREATE UNIQUE INDEX graduations_once ON public.graduations USING btree (mint);
CREATE INDEX idempotency_keys_expiry ON public.idempotency_keys USING btree (expires_at);
CREATE INDEX ledger_entries_of_account ON public.ledger_entries USING btree (account_id);
CREATE INDEX ledger_entries_of_posting ON public.ledger_entries USING btree (posting_id);
CREATE UNIQUE INDEX ledger_postings_once ON public.ledger_postings USING btree (key);
CREATE INDEX market_events_all ON public.market_events USING btree (id) WHERE (type = ANY (ARRAY['dropped'::text, 'reset'::text]));
CREATE INDEX market_events_board ON public.market_events USING btree (id) WHERE (type <> 'trade'::text);
CREATE INDEX market_events_mint ON public.market_events USING btree (mint, id);
CREATE INDEX market_events_wallet ON public.market_events USING btree (wallet, id) WHERE (wallet IS NOT NULL);
CREATE INDEX market_tokens_cap ON public.market_tokens USING btree (status, market_cap, mint);
CREATE INDEX market_tokens_last_trade ON public.market_tokens USING btree (status, last_trade_at, mint);
CREATE INDEX market_tokens_new ON public.market_tokens USING btree (status, created_id);
CREATE INDEX market_tokens_progress ON public.market_tokens USING btree (status, progress_bps, mint);
CREATE INDEX market_tokens_volume ON public.market_tokens USING btree (status, day_volume, mint);
CREATE UNIQUE INDEX other_records_once ON public.other_records USING btree (signature, "outer", "inner");
CREATE INDEX partner_users_page ON public.partner_users USING btree (partner_id, registered_at, wallet);
CREATE UNIQUE INDEX partners_name ON public.partners USING btree (name);
CREATE INDEX payment_findings_open ON public.payment_findings USING btree (slot) WHERE (state = 'open'::text);
CREATE INDEX payment_findings_unreadable ON public.payment_findings USING btree (slot) WHERE (state = 'unreadable'::text);
CREATE INDEX payment_unread_order ON public.payment_unread USING btree (is_own, slot);
CREATE INDEX pending_rewards_of_wallet ON public.pending_rewards USING btree (wallet, mint);
CREATE UNIQUE INDEX positions_once ON public.positions USING btree (substr(sha256((wallet)::bytea), 1, 16), substr(sha256((mint)::bytea), 1, 16));
CREATE INDEX recovered_settlements_left ON public.recovered_settlements USING btree (mint, settlement_id) WHERE ((sol_left > (0)::numeric) OR (token_left > (0)::numeric));
CREATE INDEX referral_rewards_of_partner ON public.referral_rewards USING btree (partner_id);
CREATE UNIQUE INDEX referral_rewards_once ON public.referral_rewards USING btree (signature, "outer", "inner");
CREATE INDEX registration_nonces_expiry ON public.registration_nonces USING btree (expires_at);
CREATE INDEX settlement_samples_of_settlement ON public.settlement_samples USING btree (settlement_id);
CREATE UNIQUE INDEX settlement_samples_once ON public.settlement_samples USING btree (settlement_id, index) WHERE (slot IS NOT NULL);
CREATE INDEX settlements_of_mint ON public.settlements USING btree (mint, id);
CREATE UNIQUE INDEX settlements_open ON public.settlements USING btree (mint) WHERE (state = ANY (ARRAY['sampling'::text, 'planned'::text, 'paid'::text]));
CREATE INDEX settlements_under_way ON public.settlements USING btree (id) WHERE (state = ANY (ARRAY['sampling'::text, 'planned'::text, 'paid'::text]));
CREATE INDEX stored_files_age ON public.stored_files USING btree (stored_at);
CREATE INDEX tasks_due ON public.tasks USING btree (kind, due_at);
CREATE INDEX token_metadata_document ON public.token_metadata USING btree (document) WHERE (document IS NOT NULL);
CREATE INDEX token_metadata_picture ON public.token_metadata USING btree (picture) WHERE (picture IS NOT NULL);
CREATE INDEX token_terms_mint ON public.token_terms USING btree (mint);
CREATE INDEX tokens_of_creator ON public.tokens USING btree (creator, record_id);
CREATE INDEX tokens_record ON public.tokens USING btree (record_id);
CREATE INDEX trades_of_mint ON public.trades USING btree (hashtextextended(mint, (0)::bigint), id);
CREATE INDEX trades_of_signature ON public.trades USING hash (signature);
CREATE INDEX trades_of_trader ON public.trades USING btree (hashtextextended(trader, (0)::bigint), id);
CREATE UNIQUE INDEX trades_once ON public.trades USING btree (substr(sha256((signature)::bytea), 1, 16), "outer", "inner");
CREATE INDEX unreadable_transactions_due ON public.unreadable_transactions USING btree (look_again_at) WHERE (NOT has_records);
CREATE INDEX used_signatures_expiry ON public.used_signatures USING btree (expires_at);
CREATE TRIGGER ledger_accounts_guard BEFORE INSERT OR UPDATE ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION ledger_guard_account();
CREATE TRIGGER ledger_accounts_stay BEFORE DELETE OR TRUNCATE ON public.ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_entries_apply AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS new_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_apply_entries();
CREATE TRIGGER ledger_postings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_postings FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER partner_users_added AFTER INSERT ON public.partner_users REFERENCING NEW TABLE AS new_users FOR EACH STATEMENT EXECUTE FUNCTION partner_totals_add();
CREATE TRIGGER partner_users_changed AFTER UPDATE ON public.partner_users REFERENCING OLD TABLE AS old_users NEW TABLE AS new_users FOR EACH STATEMENT EXECUTE FUNCTION partner_totals_change();
FUNCTION claim_end(p_signature text, p_state text, p_problem text, p_landed bigint, p_now timestamp with time zone) RETURNS boolean;
FUNCTION claim_refuse(p_reason claim_refusal, p_detail text DEFAULT ''::text) RETURNS void;
FUNCTION claim_store(p_claim claims, p_kept jsonb, p_funds jsonb) RETURNS void;
FUNCTION credits_owed(p_origin text) RETURNS numeric;
FUNCTION database_incarnation() RETURNS text;
FUNCTION ledger_apply_entries() RETURNS trigger SET enable_seqscan=off SET enable_hashjoin=off SET enable_mergejoin=off;
FUNCTION ledger_end_reserve(p_key text, p_wallet text, p_mint text, p_asset text, p_settlement numeric, p_referral numeric, p_to text) RETURNS boolean;
FUNCTION ledger_guard_account() RETURNS trigger;
FUNCTION ledger_post(p_keys text[], p_entries ledger_entry[]) RETURNS text[] SET enable_seqscan=off SET plan_cache_mode=force_generic_plan;
FUNCTION ledger_refuse() RETURNS trigger;
FUNCTION ledger_reserve(p_key text, p_wallet text, p_mint text, p_asset text, p_origins text[]) RETURNS TABLE(origin text, amount numeric);
FUNCTION ledger_totals_fold(p_rows integer) RETURNS void;
FUNCTION partner_totals_add() RETURNS trigger;
FUNCTION partner_totals_change() RETURNS trigger;
FUNCTION payments_held() RETURNS text;
FUNCTION payments_outdated(p_at timestamp with time zone) RETURNS boolean;
FUNCTION settlement_credit(p_settlement bigint, p_wallets integer) RETURNS boolean SET enable_seqscan=off SET enable_bitmapscan=off;
FUNCTION settlements_owed(p_slot bigint) RETURNS numeric;
FUNCTION stored_among(p_signatures text[]) RETURNS TABLE(signature text, slot bigint, finalized boolean) SET enable_seqscan=off;
FUNCTION treasury_cover(p_lamports numeric, p_slot bigint) RETURNS numeric;
FUNCTION treasury_fund(p_signature text, p_amount numeric, p_slot bigint) RETURNS boolean;
FUNCTION treasury_pay(p_asset text, p_referral numeric, p_slot bigint) RETURNS void;
