-- What the migrations, functions and comments make, for reading. `npm run db:schema -w app` writes it, and a test compares it.
-- The bodies of the functions are in app/src/*/sql.

-- Why a new claim is not stored. `held`: payments are held, and the detail is the reason, for the operator. `key taken`: an answer is stored under the idempotency key already. `other amount`: the claimable amount differs from the amount that the transaction pays. `stale balance`: a payment was made after the balances were read. `short of …`: the balances do not cover this claim and all other claims in progress. `referral not funded`: the treasury does not hold the SOL for the claim's referral or volume rewards yet.
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
-- A number for each mint and each wallet of a trade, which is a tenth as long. Never deleted.
CREATE TABLE addresses (
  id integer NOT NULL,
  address text COLLATE "C" NOT NULL,
  CONSTRAINT addresses_address UNIQUE (address),
  CONSTRAINT addresses_pkey PRIMARY KEY (id)
);
-- API keys. The secret itself is never stored.
CREATE TABLE api_keys (
  -- The public part of the key, which may appear in logs.
  id text NOT NULL,
  partner_id bigint NOT NULL,
  -- SHA-256 of the secret in hex.
  secret_hash text NOT NULL,
  scopes text[] NOT NULL,
  -- Requests per window, counted by key. Null: the limit of the client's address applies.
  request_limit integer,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  -- Id of the key that replaced this one at a rotation.
  replaced_by text,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT api_keys_partner_id_partners_id_fk FOREIGN KEY (partner_id) REFERENCES partners(id),
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_request_limit CHECK ((request_limit > 0)),
  CONSTRAINT api_keys_scopes CHECK ((scopes <@ ARRAY['users:write'::text, 'users:read'::text, 'stats:read'::text, 'webhooks:write'::text, 'webhooks:read'::text]))
);
-- Transactions signed with an authority's key, stored before they are sent.
CREATE TABLE authority_transactions (
  signature text COLLATE "C" NOT NULL,
  -- The purpose: `settlement:ID` or `migration:MINT`.
  subject text NOT NULL,
  -- The signed transaction as it is sent, in base64.
  transaction text NOT NULL,
  -- Slot at which the transaction's blockhash was read. Null for transactions signed before the slot was stored.
  blockhash_slot bigint,
  last_valid_block_height bigint NOT NULL,
  -- Every state except `signed` is final.
  state text DEFAULT 'signed'::text NOT NULL,
  -- Why it failed.
  problem text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT authority_transactions_pkey PRIMARY KEY (signature),
  CONSTRAINT authority_transactions_state CHECK ((state = ANY (ARRAY['signed'::text, 'finalized'::text, 'failed'::text, 'expired'::text])))
);
-- Candles of a day, as `candle_hours`.
CREATE TABLE candle_days (
  mint text COLLATE "C" NOT NULL,
  -- Unix seconds of the start.
  day bigint NOT NULL,
  first_id bigint NOT NULL,
  open numeric(39,0) NOT NULL,
  high numeric(39,0) NOT NULL,
  low numeric(39,0) NOT NULL,
  close numeric(39,0) NOT NULL,
  volume numeric(39,0) NOT NULL,
  trades integer NOT NULL,
  CONSTRAINT candle_days_pkey PRIMARY KEY (mint, day)
) WITH (fillfactor=80);
-- Candles of an hour, of trades before `market_state.rolled_to`. Later trades have candles of a minute only.
CREATE TABLE candle_hours (
  mint text COLLATE "C" NOT NULL,
  -- Unix seconds of the start.
  hour bigint NOT NULL,
  first_id bigint NOT NULL,
  open numeric(39,0) NOT NULL,
  high numeric(39,0) NOT NULL,
  low numeric(39,0) NOT NULL,
  close numeric(39,0) NOT NULL,
  volume numeric(39,0) NOT NULL,
  trades integer NOT NULL,
  CONSTRAINT candle_hours_pkey PRIMARY KEY (mint, hour)
) WITH (fillfactor=80);
-- Candles of one minute, only for minutes with a trade. Prices are market caps in lamports. `open` is the price before the first trade.
CREATE TABLE candles (
  mint text COLLATE "C" NOT NULL,
  -- Unix seconds of the start.
  minute bigint NOT NULL,
  -- Id of the first trade.
  first_id bigint NOT NULL,
  open numeric(39,0) NOT NULL,
  high numeric(39,0) NOT NULL,
  low numeric(39,0) NOT NULL,
  close numeric(39,0) NOT NULL,
  -- In lamports.
  volume numeric(39,0) NOT NULL,
  trades integer NOT NULL,
  CONSTRAINT candles_mint_minute_pk PRIMARY KEY (mint, minute)
);
-- Claims. The key is the signature of the transaction that pays the claim.
CREATE TABLE claims (
  signature text COLLATE "C" NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  mint text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  -- The reserved amount: lamports including the network fee, or token units.
  amount numeric(20,0) NOT NULL,
  -- The parts of the amount that come from referrals and from volume. The rest comes from settlements.
  referral numeric(20,0) DEFAULT 0 NOT NULL,
  -- Network fee in lamports, part of the amount.
  network_fee numeric(20,0) NOT NULL,
  burn boolean NOT NULL,
  -- Whether the treasury pays for the wallet's token account.
  opens_account boolean DEFAULT false NOT NULL,
  -- Lamports of rent that the transaction takes from the treasury. A transaction that burns returns them at its end.
  rent numeric(20,0) DEFAULT 0 NOT NULL,
  -- The transaction as returned to the wallet: base64, signed by the treasury.
  transaction text NOT NULL,
  -- Slot at which the transaction's blockhash was read.
  blockhash_slot bigint NOT NULL,
  last_valid_block_height bigint NOT NULL,
  -- Every state except `IN_PROGRESS` is final.
  state text DEFAULT 'IN_PROGRESS'::text NOT NULL,
  -- Why it failed.
  problem text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  volume numeric(20,0) DEFAULT 0 NOT NULL,
  CONSTRAINT claims_asset CHECK ((asset = ANY (ARRAY['SOL'::text, 'TOKEN'::text]))),
  CONSTRAINT claims_pkey PRIMARY KEY (signature),
  CONSTRAINT claims_state CHECK ((state = ANY (ARRAY['IN_PROGRESS'::text, 'COMPLETED'::text, 'FAILED'::text, 'EXPIRED'::text])))
);
-- Migrations of graduated curves.
CREATE TABLE curve_migrations (
  record_id bigint NOT NULL,
  mint text COLLATE "C" NOT NULL,
  fee_account text COLLATE "C" NOT NULL,
  -- Lamports moved to the fee receiver.
  sol_amount numeric(20,0) NOT NULL,
  token_amount numeric(20,0) NOT NULL,
  -- Unix seconds of the cluster's clock.
  "timestamp" bigint NOT NULL,
  CONSTRAINT curve_migrations_pkey PRIMARY KEY (record_id),
  CONSTRAINT curve_migrations_record_id_other_records_id_fk FOREIGN KEY (record_id) REFERENCES other_records(id) ON DELETE CASCADE
);
-- The state of each curve after its last record, with totals.
CREATE TABLE curve_states (
  mint text COLLATE "C" NOT NULL,
  -- As `CurveStatus` of the SDK: 1 trading, 2 graduated, 3 migrated.
  status smallint NOT NULL,
  virtual_sol numeric(20,0) NOT NULL,
  virtual_token numeric(20,0) NOT NULL,
  buys bigint NOT NULL,
  sells bigint NOT NULL,
  -- Lamports paid by buyers, including fees.
  sol_paid numeric(39,0) NOT NULL,
  -- Lamports received by sellers, after fees.
  sol_received numeric(39,0) NOT NULL,
  tokens_bought numeric(39,0) NOT NULL,
  tokens_sold numeric(39,0) NOT NULL,
  -- Platform fees in lamports.
  fees numeric(39,0) NOT NULL,
  last_record_id bigint NOT NULL,
  -- Unix seconds of the last record.
  updated_at bigint NOT NULL,
  -- Graduated, or all but 100 tokens sold. Its index does not change with each trade, unlike one of the columns that it comes from.
  is_waiting boolean DEFAULT ((status = 2) OR ((status = 1) AND (virtual_token <= ('280000100000000'::bigint)::numeric))) NOT NULL,
  CONSTRAINT curve_states_mint_tokens_mint_fk FOREIGN KEY (mint) REFERENCES tokens(mint) ON DELETE CASCADE,
  CONSTRAINT curve_states_pkey PRIMARY KEY (mint)
) WITH (fillfactor=70);
CREATE TABLE database_versions (
  id bigint DEFAULT nextval('database_versions_id_seq'::regclass) NOT NULL,
  -- Hash of all migrations and functions of a build.
  hash text NOT NULL,
  -- The functions of that build: the hash of each file by name.
  functions jsonb NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT database_versions_pkey PRIMARY KEY (id)
);
-- Who earns the share of a token. The creator signs it once, before the launch or before anybody else trades. Without a row, the creator earns it.
CREATE TABLE fee_shares (
  mint text COLLATE "C" NOT NULL,
  -- The wallet that signed. A row counts only if it is the creator of the token.
  creator text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  wallets text[] COLLATE "C" DEFAULT '{}'::text[] NOT NULL,
  -- The part of each wallet in basis points; they sum to 10,000.
  parts integer[] DEFAULT '{}'::integer[] NOT NULL,
  -- The slot in the message. It counts for trades of later slots.
  slot bigint NOT NULL,
  message text NOT NULL,
  -- Base64 of the bytes that the wallet signed: the message, or an envelope of a hardware wallet with it.
  signed text NOT NULL,
  signature text COLLATE "C" NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT fee_shares_kind CHECK ((kind = ANY (ARRAY['creator'::text, 'split'::text, 'traders'::text]))),
  CONSTRAINT fee_shares_parts CHECK (((cardinality(wallets) = cardinality(parts)) AND ((kind = 'split'::text) = (cardinality(parts) > 0)))),
  CONSTRAINT fee_shares_pkey PRIMARY KEY (mint, creator)
);
-- Graduations by the graduation program, with the amounts that opened the pool. Lamports and token units.
CREATE TABLE graduations (
  record_id bigint NOT NULL,
  mint text COLLATE "C" NOT NULL,
  pool text COLLATE "C" NOT NULL,
  pool_sol numeric(20,0) NOT NULL,
  pool_token numeric(20,0) NOT NULL,
  -- Paid to the community storages.
  community_sol numeric(20,0) NOT NULL,
  community_token numeric(20,0) NOT NULL,
  -- Tokens burnt because they exceed the closing price.
  burnt numeric(20,0) NOT NULL,
  -- Cost of opening the pool, in lamports.
  costs numeric(20,0) NOT NULL,
  -- Unix seconds of the cluster's clock.
  "timestamp" bigint NOT NULL,
  CONSTRAINT graduations_pkey PRIMARY KEY (record_id),
  CONSTRAINT graduations_record_id_other_records_id_fk FOREIGN KEY (record_id) REFERENCES other_records(id) ON DELETE CASCADE
);
-- Tokens that an operator has hidden: `curvekit token hide`.
CREATE TABLE hidden_tokens (
  mint text COLLATE "C" NOT NULL,
  -- For the operator, not shown to users.
  reason text NOT NULL,
  hidden_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT hidden_tokens_pkey PRIMARY KEY (mint)
);
-- Stored answers of requests with an `Idempotency-Key`.
CREATE TABLE idempotency_keys (
  wallet text COLLATE "C" NOT NULL,
  key text NOT NULL,
  -- SHA-256 of the request in hex. A different request with the same key is refused.
  request_hash text NOT NULL,
  body text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_keys_wallet_key_pk PRIMARY KEY (wallet, key)
);
-- Booked transactions at which a listing can stop when the RPC node does not know the newest one. A few dozen, at exponentially growing ages. See docs/decisions/indexer.md.
CREATE TABLE indexer_anchors (
  slot bigint NOT NULL,
  signature text COLLATE "C" NOT NULL,
  CONSTRAINT indexer_anchors_pkey PRIMARY KEY (slot)
);
-- Finalized transactions of a long gap. RPC nodes list them newest first; they wait here to be read oldest first.
CREATE TABLE indexer_backlog (
  -- Grows from newer to older transactions.
  age bigint DEFAULT nextval('indexer_backlog_age_seq'::regclass) NOT NULL,
  signature text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  -- Failed transactions make no records and are not fetched.
  failed boolean NOT NULL,
  CONSTRAINT indexer_backlog_pkey PRIMARY KEY (age)
);
-- Progress of the indexer, one row.
CREATE TABLE indexer_state (
  id smallint DEFAULT 1 NOT NULL,
  -- The indexed program. Another program needs another database.
  program_id text COLLATE "C" NOT NULL,
  -- Counts every change of this row, so that the write of a deposed leader is detected and refused.
  version bigint DEFAULT 0 NOT NULL,
  -- The newest finalized transaction that was booked; null before the first.
  signature text COLLATE "C",
  slot bigint,
  -- Every transaction up to this finalized slot is booked; null before the first pass.
  scanned_slot bigint,
  -- While a long gap is being listed: the oldest transaction listed so far.
  listed_to text COLLATE "C",
  -- Whether the listing of the gap has reached `signature`.
  listed boolean DEFAULT false NOT NULL,
  -- Slot of the program's oldest transaction, as far as an RPC node ever reported it. It survives a reindex.
  first_slot bigint,
  -- Why booking is held, for the operator; null while the RPC node's history is complete.
  held text,
  -- Curves that differed from their account at the last check.
  mismatched_curves integer DEFAULT 0 NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  -- Confirmed slots of the gRPC feed that wait to be shown: 0 while no more trades come than can be written.
  waiting_slots integer DEFAULT 0 NOT NULL,
  CONSTRAINT indexer_state_pkey PRIMARY KEY (id),
  CONSTRAINT indexer_state_single CHECK ((id = 1))
);
-- Leases: each has one holder at a time.
CREATE TABLE leases (
  name text NOT NULL,
  -- The instance that holds the lease.
  holder text NOT NULL,
  -- Grows with each new holder. Writes with an old token are refused.
  token bigint NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  -- The holder's database session. When the session ends, the lease ends too.
  session_pid integer NOT NULL,
  session_start timestamp with time zone NOT NULL,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);
-- One account per kind, wallet, token, asset and origin. Rewards of two origins never mix, because each origin is paid from its own money in the treasury.
CREATE TABLE ledger_accounts (
  id bigint DEFAULT nextval('ledger_accounts_id_seq'::regclass) NOT NULL,
  kind text NOT NULL,
  -- The wallet; null for a source.
  owner text COLLATE "C",
  mint text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  -- The source kind that the rewards came from. For a source, its own kind.
  origin text NOT NULL,
  -- Sum of the account's entries, updated by a trigger.
  balance numeric(39,0) DEFAULT 0 NOT NULL,
  CONSTRAINT ledger_accounts_asset CHECK ((asset = ANY (ARRAY['SOL'::text, 'TOKEN'::text]))),
  CONSTRAINT ledger_accounts_kind CHECK ((kind = ANY (ARRAY['claimable'::text, 'reserved'::text, 'claimed'::text, 'referral'::text, 'settlement'::text, 'volume'::text]))),
  CONSTRAINT ledger_accounts_once UNIQUE NULLS NOT DISTINCT (owner, mint, asset, kind, origin),
  CONSTRAINT ledger_accounts_origin CHECK ((origin = ANY (ARRAY['referral'::text, 'settlement'::text, 'volume'::text]))),
  CONSTRAINT ledger_accounts_owner CHECK (((owner IS NULL) = (kind = ANY (ARRAY['referral'::text, 'settlement'::text, 'volume'::text])))),
  CONSTRAINT ledger_accounts_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_accounts_sign CHECK (
CASE
    WHEN (owner IS NULL) THEN (balance <= (0)::numeric)
    ELSE (balance >= (0)::numeric)
END),
  CONSTRAINT ledger_accounts_source CHECK (((owner IS NOT NULL) OR (kind = origin)))
) WITH (fillfactor=50);
-- The movements of a posting: positive into the account, negative out of it.
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
-- One event that moved rewards. The key makes a repeated event harmless.
CREATE TABLE ledger_postings (
  id bigint DEFAULT nextval('ledger_postings_id_seq'::regclass) NOT NULL,
  key text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT ledger_postings_pkey PRIMARY KEY (id)
);
-- Totals of all accounts per asset, origin and kind, updated by a trigger: the total is the sum of the rows. Each statement adds its own rows, so that postings do not wait for each other here. A job merges old rows (`foldTotals`).
CREATE TABLE ledger_totals (
  id bigint DEFAULT nextval('ledger_totals_id_seq'::regclass) NOT NULL,
  asset text NOT NULL,
  origin text NOT NULL,
  kind text NOT NULL,
  amount numeric(39,0) NOT NULL,
  CONSTRAINT ledger_totals_asset CHECK ((asset = ANY (ARRAY['SOL'::text, 'TOKEN'::text]))),
  CONSTRAINT ledger_totals_kind CHECK ((kind = ANY (ARRAY['claimable'::text, 'reserved'::text, 'claimed'::text, 'referral'::text, 'settlement'::text, 'volume'::text]))),
  CONSTRAINT ledger_totals_origin CHECK ((origin = ANY (ARRAY['referral'::text, 'settlement'::text, 'volume'::text]))),
  CONSTRAINT ledger_totals_pkey PRIMARY KEY (id)
);
-- Live events for open pages, stored for an hour. Ids grow in the order of commits: a writer holds one lock until its commit, so that a smaller id never appears after a larger one.
CREATE TABLE market_events (
  id bigint DEFAULT nextval('market_events_id_seq'::regclass) NOT NULL,
  -- Null: the event is for all clients.
  mint text COLLATE "C",
  -- The wallet that the event also belongs to.
  wallet text COLLATE "C",
  type text NOT NULL,
  -- JSON, as sent to clients.
  data text NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT market_events_pkey PRIMARY KEY (id),
  CONSTRAINT market_events_type CHECK ((type = ANY (ARRAY['token'::text, 'trade'::text, 'update'::text, 'graduated'::text, 'migrated'::text, 'metadata'::text, 'dropped'::text, 'reset'::text])))
);
-- State of the market tables, one row.
CREATE TABLE market_state (
  id smallint DEFAULT 1 NOT NULL,
  -- Minutes before this one (unix seconds) no longer count as the last 24 hours. It survives a reindex.
  lapsed_to bigint NOT NULL,
  -- Trades before this minute (unix seconds) are final, and in the candles of hours and days.
  rolled_to bigint DEFAULT 0 NOT NULL,
  -- Candles of minutes before this one are deleted.
  minutes_from bigint DEFAULT 0 NOT NULL,
  -- Every pool trade up to this finalized slot is stored. Kept with `LISTING_POOLS` only.
  pools_slot bigint,
  CONSTRAINT market_state_pkey PRIMARY KEY (id),
  CONSTRAINT market_state_single CHECK ((id = 1))
);
-- A token with the sort keys of the board. Each sort has one index that begins with the status. A query without a status merges three index ranges; that way a trade updates half as many indexes.
CREATE TABLE market_tokens (
  mint text COLLATE "C" NOT NULL,
  -- As `CurveStatus` of the SDK: 1 trading, 2 graduated, 3 migrated.
  status smallint NOT NULL,
  initial_virtual_token numeric(20,0) NOT NULL,
  -- Current reserves: of the curve, then of the pool.
  virtual_sol numeric(20,0) NOT NULL,
  virtual_token numeric(20,0) NOT NULL,
  -- Price of the whole supply, in lamports.
  market_cap numeric(39,0) NOT NULL,
  -- Progress towards graduation, in basis points.
  progress_bps integer NOT NULL,
  -- Lamports traded in the minutes since `market_state.lapsed_to`.
  day_volume numeric(39,0) NOT NULL,
  -- Market cap before these minutes. At first the market cap at creation.
  day_open numeric(39,0) NOT NULL,
  trades bigint NOT NULL,
  -- Unix seconds; 0 before the first trade.
  last_trade_at bigint NOT NULL,
  -- The record of the creation. Sorts tokens by creation.
  created_id bigint NOT NULL,
  -- The newest record or pool trade.
  last_id bigint NOT NULL,
  -- Token units bought on the curve in the slot of the creation.
  launch_slot_bought numeric(39,0) DEFAULT 0 NOT NULL,
  CONSTRAINT market_tokens_mint_tokens_mint_fk FOREIGN KEY (mint) REFERENCES tokens(mint) ON DELETE CASCADE,
  CONSTRAINT market_tokens_pkey PRIMARY KEY (mint)
);
-- Token accounts that the platform has paid for, or will pay for, per owner. It never pays for the same account again.
CREATE TABLE opened_accounts (
  owner text COLLATE "C" NOT NULL,
  mint text COLLATE "C" NOT NULL,
  -- The purpose: `settlement:ID`.
  subject text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT opened_accounts_owner_mint_pk PRIMARY KEY (owner, mint)
);
-- Log records other than trades. `id` grows in the order of the chain.
CREATE TABLE other_records (
  id bigint DEFAULT nextval('records_id_seq'::regclass) NOT NULL,
  signature text COLLATE "C" NOT NULL,
  -- Index of the outer instruction.
  "outer" smallint NOT NULL,
  -- Index of the inner instruction; −1 when the outer one made the record.
  "inner" smallint NOT NULL,
  slot bigint NOT NULL,
  kind text NOT NULL,
  -- Null for an unknown record.
  mint text COLLATE "C",
  -- The bytes in base64, only for unknown records: a later version may be able to decode them.
  raw text,
  CONSTRAINT other_records_kind CHECK ((kind = ANY (ARRAY['create'::text, 'migrate'::text, 'graduate'::text, 'unknown'::text]))),
  CONSTRAINT other_records_pkey PRIMARY KEY (id)
);
-- Totals of each partner's users, updated by triggers. Lamports.
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
-- Registered users, with totals of their finalized trades since. A user belongs to the partner that registered it first.
CREATE TABLE partner_users (
  wallet text COLLATE "C" NOT NULL,
  partner_id bigint NOT NULL,
  -- The user's signature of the registration message.
  signature text COLLATE "C" NOT NULL,
  registered_at timestamp with time zone DEFAULT now() NOT NULL,
  -- The cluster's slot at registration. Only trades of later slots count.
  registered_slot bigint NOT NULL,
  trades bigint DEFAULT 0 NOT NULL,
  -- Lamports paid and received.
  volume_sol numeric(39,0) DEFAULT 0 NOT NULL,
  -- Platform fees in lamports.
  fees_sol numeric(39,0) DEFAULT 0 NOT NULL,
  -- Referral rewards in lamports.
  reward_sol numeric(39,0) DEFAULT 0 NOT NULL,
  CONSTRAINT partner_users_partner_id_partners_id_fk FOREIGN KEY (partner_id) REFERENCES partners(id),
  CONSTRAINT partner_users_pkey PRIMARY KEY (wallet)
) WITH (fillfactor=70);
-- Services that register users.
CREATE TABLE partners (
  id bigint DEFAULT nextval('partners_id_seq'::regclass) NOT NULL,
  name text NOT NULL,
  -- Receives the referral rewards.
  payout_wallet text COLLATE "C" NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT partners_pkey PRIMARY KEY (id)
);
-- Which database pays from a treasury, as this one knows: docs/decisions/split-brain.md.
CREATE TABLE payer_marks (
  treasury text COLLATE "C" NOT NULL,
  -- The epoch that this database has on chain, or was about to write.
  mark text COLLATE "C",
  -- What stood there before; null when there was no account.
  previous text COLLATE "C",
  -- The finalized height from which on claims may be signed; null until the epoch was seen on chain.
  opens_at bigint,
  -- The highest `last_valid_block_height` of a claim that may be signed; null while none may be.
  valid_to bigint,
  -- Why payments wait, in one line.
  held text,
  -- Whether another database has taken over.
  is_lost boolean DEFAULT false NOT NULL,
  CONSTRAINT payer_marks_pkey PRIMARY KEY (treasury)
);
-- Transactions signed by a watched address that are missing in the tables.
CREATE TABLE payment_findings (
  signature text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  kind text NOT NULL,
  -- `open`: a payment that cannot be booked; it holds all others. `booked`: a payment that was missing in the tables. `accepted`: the operator accepted that it stays unbooked. `other`: not a payment of the service. `unreadable`: of a transaction version that cannot be read yet, so not a payment of the service.
  state text NOT NULL,
  -- What the transaction is, what was done, or why it cannot be booked.
  detail text NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT payment_findings_kind CHECK ((kind = ANY (ARRAY['claim'::text, 'settlement'::text, 'funding'::text, 'other'::text]))),
  CONSTRAINT payment_findings_pkey PRIMARY KEY (signature),
  CONSTRAINT payment_findings_state CHECK ((state = ANY (ARRAY['open'::text, 'booked'::text, 'accepted'::text, 'other'::text, 'unreadable'::text])))
);
-- Transactions with a watched address that are listed and not processed yet. Progress of a long reading.
CREATE TABLE payment_unread (
  -- In the order of the listing: within a slot, newer transactions have smaller numbers.
  id bigint DEFAULT nextval('payment_unread_id_seq'::regclass) NOT NULL,
  signature text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  -- Whether it was read and can be a payment of the service. Other read transactions are deleted.
  is_own boolean DEFAULT false NOT NULL,
  CONSTRAINT payment_unread_pkey PRIMARY KEY (id),
  CONSTRAINT payment_unread_signature UNIQUE (signature)
);
-- Addresses whose transactions are read, in each role that they had, and the progress of each.
CREATE TABLE payment_watches (
  address text COLLATE "C" NOT NULL,
  role text NOT NULL,
  -- The newest transaction that was processed.
  signature text COLLATE "C",
  -- Every transaction up to this finalized slot was processed; null before the first pass.
  slot bigint,
  -- Every transaction up to this slot was set aside or is in `payment_unread`, and the newest of them.
  listed_slot bigint,
  listed_signature text COLLATE "C",
  -- `listed_slot` and `listed_signature` when the listing in progress ends; null without one.
  listing_slot bigint,
  listing_signature text COLLATE "C",
  -- The oldest transaction listed so far: the listing goes from new to old and continues here.
  listing_before text COLLATE "C",
  CONSTRAINT payment_watches_address_role_pk PRIMARY KEY (address, role),
  CONSTRAINT payment_watches_role CHECK ((role = ANY (ARRAY['treasury'::text, 'dex owner'::text])))
);
-- One row. Payments are open when `payments_held()` returns null.
CREATE TABLE payments_gate (
  id smallint DEFAULT 1 NOT NULL,
  -- The reconciled `database_incarnation()`.
  incarnation text,
  reconciled_at timestamp with time zone,
  -- Every payment up to this finalized slot is booked or accepted.
  reconciled_slot bigint,
  -- What the operator must do before payments can open, in one line.
  held text,
  -- The incarnation that is being reconciled.
  waiting_incarnation text,
  -- Finalized block height at which every transaction signed before the restore has expired.
  waiting_height bigint,
  -- Progress of the reconciliation, in one line.
  progress text,
  -- Listed transactions that are still to be read; null when all are read.
  unread bigint,
  CONSTRAINT payments_gate_pkey PRIMARY KEY (id),
  CONSTRAINT payments_gate_single CHECK ((id = 1))
);
-- Rewards of trades that are confirmed but not finalized: shown, never claimable. The row is deleted when the trade is finalized (and booked in the ledger) or dropped. Volume rewards are sums instead, one row for each token and wallet.
CREATE TABLE pending_rewards (
  -- The trade; of a sum, minus the id of the token's address.
  record_id bigint NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  mint text COLLATE "C" NOT NULL,
  asset text NOT NULL,
  amount numeric(20,0) NOT NULL,
  origin text DEFAULT 'referral'::text NOT NULL,
  CONSTRAINT pending_rewards_asset CHECK ((asset = ANY (ARRAY['SOL'::text, 'TOKEN'::text]))),
  CONSTRAINT pending_rewards_origin CHECK ((origin = ANY (ARRAY['referral'::text, 'volume'::text]))),
  CONSTRAINT pending_rewards_pkey PRIMARY KEY (record_id, wallet, origin)
);
-- Bought and sold amounts of a wallet and token. Lamports and token units.
CREATE TABLE position_rows (
  wallet_id integer NOT NULL,
  mint_id integer NOT NULL,
  trades bigint NOT NULL,
  -- Bought minus sold. Negative when the wallet sold tokens that it received in other ways.
  amount numeric(39,0) NOT NULL,
  paid numeric(39,0) NOT NULL,
  received numeric(39,0) NOT NULL,
  -- Token units sold. With `amount` it also says how many were bought.
  sold numeric(39,0) DEFAULT 0 NOT NULL,
  CONSTRAINT position_rows_pkey PRIMARY KEY (wallet_id, mint_id)
);
-- Claims found on chain that a recovered settlement paid.
CREATE TABLE recovered_payments (
  settlement_id bigint NOT NULL,
  -- Signature of the claim.
  signature text COLLATE "C" NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  sol numeric(20,0) NOT NULL,
  token numeric(20,0) NOT NULL,
  CONSTRAINT recovered_payments_settlement_id_recovered_settlements_settleme FOREIGN KEY (settlement_id) REFERENCES recovered_settlements(settlement_id),
  CONSTRAINT recovered_payments_settlement_id_signature_pk PRIMARY KEY (settlement_id, signature)
);
-- Settlements found on chain, with the holders' parts that are still to be divided.
CREATE TABLE recovered_settlements (
  settlement_id bigint NOT NULL,
  mint text COLLATE "C" NOT NULL,
  -- Slot of the transaction that paid the settlement.
  slot bigint NOT NULL,
  -- The holders' parts: lamports and token units.
  sol numeric(20,0) NOT NULL,
  token numeric(20,0) NOT NULL,
  -- The rest that is not credited or paid to a wallet yet.
  sol_left numeric(20,0) NOT NULL,
  token_left numeric(20,0) NOT NULL,
  CONSTRAINT recovered_settlements_pkey PRIMARY KEY (settlement_id),
  CONSTRAINT recovered_settlements_settlement_id_settlements_id_fk FOREIGN KEY (settlement_id) REFERENCES settlements(id),
  CONSTRAINT recovered_settlements_sol CHECK (((sol_left >= (0)::numeric) AND (sol_left <= sol))),
  CONSTRAINT recovered_settlements_token CHECK (((token_left >= (0)::numeric) AND (token_left <= token)))
);
-- Referral rewards, one per trade. They survive a reindex, so that it credits nothing twice.
CREATE TABLE referral_reward_rows (
  partner_id bigint NOT NULL,
  -- The user who traded.
  user_id integer NOT NULL,
  mint_id integer NOT NULL,
  share_bps integer NOT NULL,
  "outer" smallint NOT NULL,
  "inner" smallint NOT NULL,
  signature text COLLATE "C" NOT NULL,
  -- Platform fee in lamports.
  fee numeric(20,0) NOT NULL,
  -- Lamports credited.
  reward numeric(20,0) NOT NULL,
  CONSTRAINT referral_reward_rows_partner FOREIGN KEY (partner_id) REFERENCES partners(id)
);
-- Messages that the service issued for users to sign.
CREATE TABLE registration_nonces (
  nonce text NOT NULL,
  partner_id bigint NOT NULL,
  message text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT registration_nonces_partner_id_partners_id_fk FOREIGN KEY (partner_id) REFERENCES partners(id),
  CONSTRAINT registration_nonces_pkey PRIMARY KEY (nonce)
);
-- The credits of a settlement per wallet. They are booked once it is paid.
CREATE TABLE settlement_credits (
  settlement_id bigint NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  -- Token units held, summed over the samples. 0 for a creator who held none.
  balance numeric(39,0) NOT NULL,
  -- Lamports credited.
  sol numeric(20,0) NOT NULL,
  -- Token units credited.
  token numeric(20,0) NOT NULL,
  CONSTRAINT settlement_credits_settlement_id_settlements_id_fk FOREIGN KEY (settlement_id) REFERENCES settlements(id),
  CONSTRAINT settlement_credits_settlement_id_wallet_pk PRIMARY KEY (settlement_id, wallet)
);
-- Weights of a token's holders while a settlement is being planned.
CREATE TABLE settlement_holders (
  settlement_id bigint NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  -- Token units in all accounts of the wallet, summed over the samples.
  balance numeric(39,0) NOT NULL,
  CONSTRAINT settlement_holders_settlement_id_settlements_id_fk FOREIGN KEY (settlement_id) REFERENCES settlements(id),
  CONSTRAINT settlement_holders_settlement_id_wallet_pk PRIMARY KEY (settlement_id, wallet)
);
-- Time of the last pass over all storages, one row.
CREATE TABLE settlement_passes (
  id smallint DEFAULT 1 NOT NULL,
  passed_at timestamp with time zone NOT NULL,
  CONSTRAINT settlement_passes_pkey PRIMARY KEY (id),
  CONSTRAINT settlement_passes_single CHECK ((id = 1))
);
-- Raw balances of a sample, some thousand token accounts per row.
CREATE TABLE settlement_sample_chunks (
  sample_id bigint NOT NULL,
  chunk integer NOT NULL,
  wallets text[] NOT NULL,
  balances numeric[] NOT NULL,
  CONSTRAINT settlement_sample_chunks_sample_id_chunk_pk PRIMARY KEY (sample_id, chunk),
  CONSTRAINT settlement_sample_chunks_sample_id_settlement_samples_id_fk FOREIGN KEY (sample_id) REFERENCES settlement_samples(id) ON DELETE CASCADE
);
-- Samples of a token's holders. A finished sample stays. Its balances are deleted when the settlement is planned.
CREATE TABLE settlement_samples (
  id bigint DEFAULT nextval('settlement_samples_id_seq'::regclass) NOT NULL,
  settlement_id bigint NOT NULL,
  -- Number of the part of the period, from 0.
  index integer NOT NULL,
  -- Finalized slot of the balances; null while the sample is being read.
  slot bigint,
  -- Time of the request to the RPC node.
  taken_at timestamp with time zone NOT NULL,
  CONSTRAINT settlement_samples_pkey PRIMARY KEY (id),
  CONSTRAINT settlement_samples_settlement_id_settlements_id_fk FOREIGN KEY (settlement_id) REFERENCES settlements(id)
);
-- Seeds of running periods. Separate from the settlements, so that no response or log reveals a seed by accident.
CREATE TABLE settlement_seeds (
  settlement_id bigint NOT NULL,
  -- 32 bytes in hex.
  seed text NOT NULL,
  CONSTRAINT settlement_seeds_pkey PRIMARY KEY (settlement_id),
  CONSTRAINT settlement_seeds_settlement_id_settlements_id_fk FOREIGN KEY (settlement_id) REFERENCES settlements(id)
);
-- Settlements: the amounts taken from the two storages, and the parts that each amount is split into. Lamports and token units.
CREATE TABLE settlements (
  id bigint DEFAULT nextval('settlements_id_seq'::regclass) NOT NULL,
  mint text COLLATE "C" NOT NULL,
  -- `sampling`: its period runs and the holders are sampled several times. `planned`: parts and credits are fixed. `paid`: its transaction is finalized and the wallets are being credited. `done`: all wallets are credited. `failed`: its transaction failed and nothing moved. `abandoned`: its period ended with nothing to take.
  state text DEFAULT 'sampling'::text NOT NULL,
  -- Null when it receives nothing.
  treasury text COLLATE "C",
  lp text COLLATE "C",
  creator text COLLATE "C" NOT NULL,
  sol numeric(20,0) DEFAULT 0 NOT NULL,
  sol_holders numeric(20,0) DEFAULT 0 NOT NULL,
  sol_lp numeric(20,0) DEFAULT 0 NOT NULL,
  -- The creator's own part and the burn share.
  sol_creator numeric(20,0) DEFAULT 0 NOT NULL,
  -- The amount of the creator's part that is paid to the treasury and credited, because the creator has no account for it.
  sol_creator_credited numeric(20,0) DEFAULT 0 NOT NULL,
  token numeric(20,0) DEFAULT 0 NOT NULL,
  token_burned numeric(20,0) DEFAULT 0 NOT NULL,
  token_holders numeric(20,0) DEFAULT 0 NOT NULL,
  token_lp numeric(20,0) DEFAULT 0 NOT NULL,
  token_creator numeric(20,0) DEFAULT 0 NOT NULL,
  token_creator_credited numeric(20,0) DEFAULT 0 NOT NULL,
  -- SHA-256 of the seed, in hex, public from the start of the period. Null when the holders have no part.
  seed_hash text,
  -- The seed in hex, which decides the times of the samples. Null until the period is over.
  seed text,
  started_at timestamp with time zone,
  -- Finalized slot of the storages' balances when the period began.
  started_slot bigint,
  -- Length of the period in milliseconds.
  period_ms bigint DEFAULT 0 NOT NULL,
  -- Number of samples of the holders in the period.
  samples integer DEFAULT 0 NOT NULL,
  -- Value of both storages in lamports when the period began.
  value numeric(39,0) DEFAULT 0 NOT NULL,
  -- Whether the DEX owner pays for the creator's token account.
  opens_creator_account boolean DEFAULT false NOT NULL,
  -- Finalized slot of the last sample; null when the holders have no part.
  snapshot_slot bigint,
  -- Number of wallets in any sample, and the token units they held, summed over all samples.
  holders integer DEFAULT 0 NOT NULL,
  held numeric(39,0) DEFAULT 0 NOT NULL,
  -- Signature of the finalized transaction that paid the parts.
  signature text COLLATE "C",
  -- In state `paid`: the last wallet whose credit is booked, and the lamports booked so far.
  credited_through text COLLATE "C",
  sol_credited numeric(20,0) DEFAULT 0 NOT NULL,
  -- Why it failed.
  problem text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT settlements_done CHECK (((state = ANY (ARRAY['paid'::text, 'done'::text])) = (signature IS NOT NULL))),
  CONSTRAINT settlements_pkey PRIMARY KEY (id),
  CONSTRAINT settlements_sol CHECK ((sol = ((sol_holders + sol_lp) + sol_creator))),
  CONSTRAINT settlements_state CHECK ((state = ANY (ARRAY['sampling'::text, 'planned'::text, 'paid'::text, 'done'::text, 'failed'::text, 'abandoned'::text]))),
  CONSTRAINT settlements_token CHECK ((token = (((token_burned + token_holders) + token_lp) + token_creator)))
);
-- Files in the store. A file that no token uses is removed a day after it was last stored.
CREATE TABLE stored_files (
  -- SHA-256 of the content, in hex.
  hash text NOT NULL,
  kind text NOT NULL,
  bytes integer NOT NULL,
  stored_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT stored_files_kind CHECK ((kind = ANY (ARRAY['picture'::text, 'document'::text]))),
  CONSTRAINT stored_files_pkey PRIMARY KEY (hash)
);
-- A row for each subject that waits; none for what was done, or was never tried.
CREATE TABLE tasks (
  kind text NOT NULL,
  -- A token's address, `referrals`, or an endpoint and an event of webhooks.
  subject text COLLATE "C" NOT NULL,
  -- Failed attempts in a row; 0 when it waits for an operator.
  attempts integer NOT NULL,
  due_at timestamp with time zone NOT NULL,
  -- Why it waits; null after an attempt that succeeded, until the index shows it.
  problem text,
  since timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT tasks_kind CHECK ((kind = ANY (ARRAY['funding'::text, 'graduation'::text, 'metadata'::text, 'pool'::text, 'settlement'::text, 'webhook'::text]))),
  CONSTRAINT tasks_kind_subject_pk PRIMARY KEY (kind, subject)
);
-- Contents of the JSON at a token's uri. It survives a reindex, so that it is not fetched twice. A token without a row is not fetched yet.
CREATE TABLE token_metadata (
  mint text COLLATE "C" NOT NULL,
  uri text NOT NULL,
  -- URL of the image, or an empty text.
  image text NOT NULL,
  -- Why there is no document or no image.
  problem text,
  -- In `stored_files`: the service's own copy of the image.
  picture text,
  -- Why there is no copy.
  picture_problem text,
  -- In `stored_files`: the metadata itself, if it was uploaded to this service.
  document text,
  description text,
  -- The creator's own claims, not verified: `{website?, x?, telegram?, discord?}`.
  links jsonb,
  fetched_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT token_metadata_pkey PRIMARY KEY (mint)
);
-- Names and symbols of tokens as keys that are equal for those that look the same: `n:` or `s:` and the folded text.
CREATE TABLE token_names (
  key text COLLATE "C" NOT NULL,
  mint text COLLATE "C" NOT NULL,
  -- The rule and table that folded it. Keys of another version are made again.
  version text NOT NULL,
  CONSTRAINT token_names_key_mint_pk PRIMARY KEY (key, mint),
  CONSTRAINT token_names_mint_tokens_mint_fk FOREIGN KEY (mint) REFERENCES tokens(mint) ON DELETE CASCADE
);
-- Search terms of a token, in lower case: the symbol, and the name from the start of each of its words; after a `~`, both from each letter inside a word that two more follow. A search is a range of this key.
CREATE TABLE token_terms (
  term text COLLATE "C" NOT NULL,
  mint text COLLATE "C" NOT NULL,
  CONSTRAINT token_terms_mint_tokens_mint_fk FOREIGN KEY (mint) REFERENCES tokens(mint) ON DELETE CASCADE,
  CONSTRAINT token_terms_term_mint_pk PRIMARY KEY (term, mint)
);
-- Tokens created by the program. Shares are in basis points.
CREATE TABLE tokens (
  mint text COLLATE "C" NOT NULL,
  record_id bigint NOT NULL,
  creator text COLLATE "C" NOT NULL,
  -- The curve account.
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
  -- Unix seconds of the cluster's clock.
  created_at bigint NOT NULL,
  CONSTRAINT tokens_pkey PRIMARY KEY (mint),
  CONSTRAINT tokens_record_id_other_records_id_fk FOREIGN KEY (record_id) REFERENCES other_records(id) ON DELETE CASCADE
);
-- Trades on the curves, which are log records, and in the pools of graduated tokens. All ids are of one sequence, and each partition has 10,000,000 of them (docs/decisions/trade-tables.md).
CREATE TABLE trade_rows (
  id bigint NOT NULL,
  slot bigint NOT NULL,
  -- Unix seconds of the cluster's clock.
  "timestamp" bigint NOT NULL,
  mint_id integer NOT NULL,
  trader_id integer NOT NULL,
  -- Index of the outer instruction.
  "outer" smallint NOT NULL,
  -- Index of the inner instruction; −1 when the outer one made the trade.
  "inner" smallint NOT NULL,
  is_buy boolean NOT NULL,
  -- Whether the trade bought the last tokens of the curve.
  graduated boolean NOT NULL,
  -- Whether the trade happened in the pool of a graduated token, else on its curve.
  in_pool boolean NOT NULL,
  signature text COLLATE "C" NOT NULL,
  -- Lamports that the trader paid or received, including the fee.
  sol_amount numeric(20,0) NOT NULL,
  token_amount numeric(20,0) NOT NULL,
  -- The platform's or the pool's fee in lamports.
  fee numeric(20,0) NOT NULL,
  -- Reserves of the curve or the pool after the trade.
  virtual_sol numeric(20,0) NOT NULL,
  virtual_token numeric(20,0) NOT NULL,
  CONSTRAINT trade_rows_pkey PRIMARY KEY (id)
) PARTITION BY RANGE (id);
-- A row with asset `SOL`, and one per claimed token, whose asset is its mint.
CREATE TABLE treasury (
  asset text COLLATE "C" NOT NULL,
  -- Reserved by claims in progress, without what fees back.
  reserved numeric(39,0) DEFAULT 0 NOT NULL,
  -- Lamports that token claims in progress take for network fees and rent.
  costs numeric(39,0) DEFAULT 0 NOT NULL,
  -- Lamports of fees moved to the treasury. They back referral rewards first, then volume rewards.
  referral_funded numeric(39,0) DEFAULT 0 NOT NULL,
  -- The referral rewards that claims have reserved, and those that were paid.
  referral_reserved numeric(39,0) DEFAULT 0 NOT NULL,
  referral_settled numeric(39,0) DEFAULT 0 NOT NULL,
  -- Lamports of these fees that only referral rewards may use: at most what partners are owed. Negative when rewards were paid that no fees backed.
  referral_cover numeric(39,0) DEFAULT 0 NOT NULL,
  -- The newest balance of which lamports were used that may be fees not booked yet. Fees of an earlier slot raise the cover only when another balance shows them.
  spent_slot bigint DEFAULT 0 NOT NULL,
  -- The newest slot with a payment. A balance of an older slot does not include it.
  settled_slot bigint DEFAULT 0 NOT NULL,
  -- The same of volume rewards, which have a cover of their own.
  volume_reserved numeric(39,0) DEFAULT 0 NOT NULL,
  volume_settled numeric(39,0) DEFAULT 0 NOT NULL,
  volume_cover numeric(39,0) DEFAULT 0 NOT NULL,
  CONSTRAINT treasury_cover CHECK (((referral_cover + volume_cover) <= ((referral_funded - referral_settled) - volume_settled))),
  CONSTRAINT treasury_pkey PRIMARY KEY (asset),
  CONSTRAINT treasury_signs CHECK (((reserved >= (0)::numeric) AND (costs >= (0)::numeric) AND (referral_reserved >= (0)::numeric) AND (referral_settled >= (0)::numeric) AND (volume_reserved >= (0)::numeric) AND (volume_settled >= (0)::numeric)))
);
-- Fees moved to the treasury.
CREATE TABLE treasury_fundings (
  signature text COLLATE "C" NOT NULL,
  origin text NOT NULL,
  -- Lamports.
  amount numeric(20,0) NOT NULL,
  slot bigint NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT treasury_fundings_amount CHECK ((amount > (0)::numeric)),
  CONSTRAINT treasury_fundings_origin CHECK ((origin = 'referral'::text)),
  CONSTRAINT treasury_fundings_pkey PRIMARY KEY (signature)
);
-- Records of a curve, and trades in pools, that a reorg can still drop. A final one has no row here.
CREATE TABLE unfinalized (
  id bigint NOT NULL,
  venue text NOT NULL,
  CONSTRAINT unfinalized_pkey PRIMARY KEY (id),
  CONSTRAINT unfinalized_venue CHECK ((venue = ANY (ARRAY['curve'::text, 'pool'::text])))
);
-- Finalized transactions that no RPC node could return, or that this version could not decode. Indexing continues without them.
CREATE TABLE unreadable_transactions (
  signature text COLLATE "C" NOT NULL,
  slot bigint NOT NULL,
  -- Version of the message; null when unknown.
  version integer,
  reason text NOT NULL,
  -- The transaction was read later and has records. Only a reindex can book them in the order of the chain.
  has_records boolean DEFAULT false NOT NULL,
  -- Number of retries.
  looks integer DEFAULT 0 NOT NULL,
  look_again_at timestamp with time zone DEFAULT (now() + '00:01:00'::interval) NOT NULL,
  seen_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT unreadable_transactions_pkey PRIMARY KEY (signature)
);
-- Request signatures that must not be accepted again.
CREATE TABLE used_signatures (
  signature text COLLATE "C" NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT used_signatures_pkey PRIMARY KEY (signature)
);
-- CREATOR_SHARE_BPS, from each slot in which it changed. Never changed, so that a reindex comes to the same amounts.
CREATE TABLE volume_rates (
  from_slot bigint NOT NULL,
  share_bps integer NOT NULL,
  CONSTRAINT volume_rates_pkey PRIMARY KEY (from_slot),
  CONSTRAINT volume_rates_share CHECK (((share_bps >= 0) AND (share_bps <= 10000)))
);
-- What the final trades of a token come to for a wallet, and how much of it the ledger has credited. A reindex begins `accrued` again and credits nothing twice.
CREATE TABLE volume_rewards (
  mint text COLLATE "C" NOT NULL,
  wallet text COLLATE "C" NOT NULL,
  accrued numeric(39,0) NOT NULL,
  credited numeric(39,0) NOT NULL,
  CONSTRAINT volume_rewards_amounts CHECK (((accrued >= (0)::numeric) AND (credited >= (0)::numeric))),
  CONSTRAINT volume_rewards_pkey PRIMARY KEY (mint, wallet)
) WITH (fillfactor=70);
-- Events that an endpoint did not take within a day. A replay sends them again.
CREATE TABLE webhook_dead_letters (
  endpoint_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  problem text NOT NULL,
  died_at timestamp with time zone NOT NULL,
  CONSTRAINT webhook_dead_letters_endpoint FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  CONSTRAINT webhook_dead_letters_event FOREIGN KEY (event_id) REFERENCES webhook_events(id) ON DELETE CASCADE,
  CONSTRAINT webhook_dead_letters_pkey PRIMARY KEY (endpoint_id, event_id)
);
-- Servers that events are sent to.
CREATE TABLE webhook_endpoints (
  id text COLLATE "C" NOT NULL,
  -- The partner whose events it gets; 0 for the operator's.
  partner_id bigint NOT NULL,
  url text NOT NULL,
  -- The types of events that it gets; null for all.
  types text[],
  -- Events up to this position were delivered, are dead letters, or wait in `tasks`, alone or behind an event of their subject. Only the job that sends moves it.
  cursor bigint NOT NULL,
  -- A replay that was asked for: the position to send from. The job that sends takes it over.
  replay_from bigint,
  -- When it was added or replayed last. Each event is tried for a day from then on at least.
  started_at timestamp with time zone NOT NULL,
  -- When it answered 410. A replay enables it.
  disabled_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id)
);
-- Outbox: written in the transaction that makes the event true, and kept for seven days.
CREATE TABLE webhook_events (
  -- In the order of insertion.
  number bigint DEFAULT nextval('webhook_events_number_seq'::regclass) NOT NULL,
  -- In the order of commits. The job that sends numbers the rows; null until then.
  "position" bigint,
  -- The `webhook-id`: a hash of what happened, so that a reindex or a restored database tells nothing twice.
  id text COLLATE "C" NOT NULL,
  -- As that of endpoints.
  partner_id bigint NOT NULL,
  -- The only endpoint that gets it: of a test.
  endpoint_id text COLLATE "C",
  type text NOT NULL,
  -- The wallet, claim or token. Events of one subject arrive in order.
  subject text COLLATE "C" NOT NULL,
  -- JSON, as sent.
  data text NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT webhook_events_endpoint FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  CONSTRAINT webhook_events_id UNIQUE (id),
  CONSTRAINT webhook_events_pkey PRIMARY KEY (number)
);
-- Secrets that sign. An endpoint has two while one replaces the other.
CREATE TABLE webhook_secrets (
  endpoint_id text COLLATE "C" NOT NULL,
  secret text NOT NULL,
  -- Null for the newest secret.
  expires_at timestamp with time zone,
  CONSTRAINT webhook_secrets_endpoint FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
  CONSTRAINT webhook_secrets_pkey PRIMARY KEY (endpoint_id, secret)
);
CREATE TABLE trade_rows_0 PARTITION OF trade_rows FOR VALUES FROM ('0') TO ('10000000');
-- Positions with the texts of their addresses.
CREATE VIEW positions (
  wallet text,
  mint text,
  amount numeric(39,0),
  paid numeric(39,0),
  received numeric(39,0),
  trades bigint,
  wallet_id integer,
  mint_id integer
);
-- Every log record, once.
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
-- Referral rewards with the texts of their addresses.
CREATE VIEW referral_rewards (
  signature text,
  "outer" smallint,
  "inner" smallint,
  partner_id bigint,
  "user" text,
  payout_wallet text,
  mint text,
  fee numeric(20,0),
  share_bps integer,
  reward numeric(20,0)
);
-- Trades with the texts of their addresses.
CREATE VIEW trades (
  id bigint,
  venue text,
  signature text,
  "outer" smallint,
  "inner" smallint,
  slot bigint,
  mint text,
  trader text,
  is_buy boolean,
  sol_amount numeric(20,0),
  token_amount numeric(20,0),
  fee numeric(20,0),
  virtual_sol numeric(20,0),
  virtual_token numeric(20,0),
  graduated boolean,
  "timestamp" bigint,
  mint_id integer,
  trader_id integer
);
CREATE INDEX api_keys_of_partner ON public.api_keys USING btree (partner_id);
CREATE INDEX api_keys_with_limit ON public.api_keys USING btree (id) WHERE ((request_limit IS NOT NULL) AND (revoked_at IS NULL));
CREATE INDEX authority_transactions_of_subject ON public.authority_transactions USING btree (subject, created_at);
-- The database also enforces this: no new transaction while an earlier one may still land.
CREATE UNIQUE INDEX authority_transactions_undecided ON public.authority_transactions USING btree (subject) WHERE (state = 'signed'::text);
CREATE INDEX candles_minute ON public.candles USING btree (minute);
CREATE INDEX claims_expired ON public.claims USING btree (updated_at) WHERE (state = 'EXPIRED'::text);
-- The database also enforces this: one open claim per wallet and token.
CREATE UNIQUE INDEX claims_in_progress ON public.claims USING btree (wallet, mint) WHERE (state = 'IN_PROGRESS'::text);
CREATE INDEX claims_of_wallet ON public.claims USING btree (wallet, created_at);
CREATE INDEX claims_open ON public.claims USING btree (created_at) WHERE (state = 'IN_PROGRESS'::text);
CREATE INDEX claims_opening_accounts ON public.claims USING btree (created_at) WHERE opens_account;
CREATE INDEX claims_paid ON public.claims USING btree (updated_at) WHERE (state = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text]));
CREATE UNIQUE INDEX curve_migrations_once ON public.curve_migrations USING btree (mint);
-- Used by `graduation/waiting-tokens.ts`.
CREATE INDEX curve_states_waiting ON public.curve_states USING btree (mint) WHERE is_waiting;
CREATE INDEX fee_shares_of_slot ON public.fee_shares USING btree (slot);
CREATE UNIQUE INDEX graduations_once ON public.graduations USING btree (mint);
CREATE INDEX idempotency_keys_expiry ON public.idempotency_keys USING btree (expires_at);
CREATE INDEX ledger_entries_of_account ON public.ledger_entries USING btree (account_id);
CREATE INDEX ledger_entries_of_posting ON public.ledger_entries USING btree (posting_id);
CREATE UNIQUE INDEX ledger_postings_once ON public.ledger_postings USING btree (key);
CREATE INDEX market_events_all ON public.market_events USING btree (id) WHERE (type = ANY (ARRAY['dropped'::text, 'reset'::text]));
-- One index for each kind of topic, so that a client that resumes reads its own events only.
CREATE INDEX market_events_board ON public.market_events USING btree (id) WHERE (type <> 'trade'::text);
CREATE INDEX market_events_mint ON public.market_events USING btree (mint, id);
CREATE INDEX market_events_wallet ON public.market_events USING btree (wallet, id) WHERE (wallet IS NOT NULL);
CREATE INDEX market_tokens_cap ON public.market_tokens USING btree (status, market_cap, mint);
CREATE INDEX market_tokens_last_trade ON public.market_tokens USING btree (status, last_trade_at, mint);
CREATE INDEX market_tokens_new ON public.market_tokens USING btree (status, created_id);
CREATE INDEX market_tokens_progress ON public.market_tokens USING btree (status, progress_bps, mint);
CREATE INDEX market_tokens_volume ON public.market_tokens USING btree (status, day_volume, mint);
CREATE INDEX other_records_of_slot ON public.other_records USING btree (slot, id) WHERE (kind = ANY (ARRAY['create'::text, 'migrate'::text, 'graduate'::text]));
CREATE UNIQUE INDEX other_records_once ON public.other_records USING btree (signature, "outer", "inner");
CREATE INDEX partner_users_page ON public.partner_users USING btree (partner_id, registered_at, wallet);
CREATE UNIQUE INDEX partners_name ON public.partners USING btree (name);
CREATE INDEX payment_findings_open ON public.payment_findings USING btree (slot) WHERE (state = 'open'::text);
CREATE INDEX payment_findings_unreadable ON public.payment_findings USING btree (slot) WHERE (state = 'unreadable'::text);
CREATE INDEX payment_unread_order ON public.payment_unread USING btree (is_own, slot);
CREATE INDEX pending_rewards_of_wallet ON public.pending_rewards USING btree (wallet, mint);
CREATE INDEX recovered_settlements_left ON public.recovered_settlements USING btree (mint, settlement_id) WHERE ((sol_left > (0)::numeric) OR (token_left > (0)::numeric));
CREATE INDEX referral_rewards_of_partner ON public.referral_reward_rows USING btree (partner_id);
CREATE UNIQUE INDEX referral_rewards_once ON public.referral_reward_rows USING btree (substr(sha256((signature)::bytea), 1, 16), "outer", "inner");
CREATE INDEX registration_nonces_expiry ON public.registration_nonces USING btree (expires_at);
CREATE INDEX settlement_samples_of_settlement ON public.settlement_samples USING btree (settlement_id);
CREATE UNIQUE INDEX settlement_samples_once ON public.settlement_samples USING btree (settlement_id, index) WHERE (slot IS NOT NULL);
CREATE INDEX settlements_of_mint ON public.settlements USING btree (mint, id);
-- One open settlement per token.
CREATE UNIQUE INDEX settlements_open ON public.settlements USING btree (mint) WHERE (state = ANY (ARRAY['sampling'::text, 'planned'::text, 'paid'::text]));
CREATE INDEX settlements_under_way ON public.settlements USING btree (id) WHERE (state = ANY (ARRAY['sampling'::text, 'planned'::text, 'paid'::text]));
CREATE INDEX stored_files_age ON public.stored_files USING btree (stored_at);
CREATE INDEX tasks_due ON public.tasks USING btree (kind, due_at);
CREATE INDEX token_metadata_document ON public.token_metadata USING btree (document) WHERE (document IS NOT NULL);
CREATE INDEX token_metadata_picture ON public.token_metadata USING btree (picture) WHERE (picture IS NOT NULL);
CREATE INDEX token_names_mint ON public.token_names USING btree (mint);
CREATE INDEX token_terms_mint ON public.token_terms USING btree (mint);
CREATE INDEX tokens_created ON public.tokens USING btree (created_at);
CREATE INDEX tokens_of_creator ON public.tokens USING btree (creator, record_id);
CREATE INDEX tokens_of_curve ON public.tokens USING btree (curve);
CREATE INDEX tokens_record ON public.tokens USING btree (record_id);
CREATE UNIQUE INDEX trade_rows_0_once ON public.trade_rows_0 USING btree (substr(sha256((signature)::bytea), 1, 16), "outer", "inner");
CREATE INDEX trades_of_mint ON ONLY public.trade_rows USING btree (mint_id, id);
CREATE INDEX trades_of_pool_slot ON ONLY public.trade_rows USING btree (slot, id) WHERE in_pool;
CREATE INDEX trades_of_slot ON ONLY public.trade_rows USING btree (slot, id) WHERE (NOT in_pool);
CREATE INDEX trades_of_trader ON ONLY public.trade_rows USING btree (trader_id, id);
CREATE INDEX unreadable_transactions_due ON public.unreadable_transactions USING btree (look_again_at) WHERE (NOT has_records);
CREATE INDEX used_signatures_expiry ON public.used_signatures USING btree (expires_at);
CREATE INDEX webhook_dead_letters_of_event ON public.webhook_dead_letters USING btree (event_id);
CREATE INDEX webhook_endpoints_of_partner ON public.webhook_endpoints USING btree (partner_id);
CREATE INDEX webhook_events_at ON public.webhook_events USING btree (at);
CREATE INDEX webhook_events_new ON public.webhook_events USING btree (number) WHERE ("position" IS NULL);
CREATE INDEX webhook_events_of_endpoint ON public.webhook_events USING btree (endpoint_id) WHERE (endpoint_id IS NOT NULL);
CREATE INDEX webhook_events_of_subject ON public.webhook_events USING btree (partner_id, subject, "position");
CREATE INDEX webhook_events_page ON public.webhook_events USING btree (partner_id, "position");
CREATE INDEX webhook_events_position ON public.webhook_events USING btree ("position");
CREATE TRIGGER claims_told AFTER INSERT OR UPDATE OF state ON public.claims FOR EACH ROW WHEN ((new.state <> 'IN_PROGRESS'::text)) EXECUTE FUNCTION webhook_claim();
CREATE TRIGGER ledger_accounts_guard BEFORE INSERT OR UPDATE ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION ledger_guard_account();
CREATE TRIGGER ledger_accounts_stay BEFORE DELETE OR TRUNCATE ON public.ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER ledger_entries_apply AFTER INSERT ON public.ledger_entries REFERENCING NEW TABLE AS new_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_apply_entries();
CREATE TRIGGER ledger_postings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_postings FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse();
CREATE TRIGGER partner_users_added AFTER INSERT ON public.partner_users REFERENCING NEW TABLE AS new_users FOR EACH STATEMENT EXECUTE FUNCTION partner_totals_add();
CREATE TRIGGER partner_users_changed AFTER UPDATE ON public.partner_users REFERENCING OLD TABLE AS old_users NEW TABLE AS new_users FOR EACH STATEMENT EXECUTE FUNCTION partner_totals_change();
CREATE TRIGGER partner_users_told AFTER INSERT ON public.partner_users FOR EACH ROW EXECUTE FUNCTION webhook_user();
CREATE TRIGGER payer_marks_told AFTER INSERT OR UPDATE ON public.payer_marks FOR EACH ROW WHEN ((new.is_lost AND (new.held IS NOT NULL))) EXECUTE FUNCTION webhook_held();
CREATE TRIGGER payments_gate_told AFTER INSERT OR UPDATE ON public.payments_gate FOR EACH ROW WHEN ((new.held IS NOT NULL)) EXECUTE FUNCTION webhook_held();
CREATE TRIGGER referral_rewards_told AFTER INSERT ON public.referral_reward_rows REFERENCING NEW TABLE AS new_rewards FOR EACH STATEMENT EXECUTE FUNCTION webhook_rewards();
CREATE TRIGGER settlements_told AFTER INSERT OR UPDATE OF state ON public.settlements FOR EACH ROW WHEN ((new.state = 'done'::text)) EXECUTE FUNCTION webhook_settlement();
FUNCTION claim_end(p_signature text, p_state text, p_problem text, p_landed bigint, p_now timestamp with time zone) RETURNS boolean;
FUNCTION claim_refuse(p_reason claim_refusal, p_detail text DEFAULT ''::text) RETURNS void;
FUNCTION claim_store(p_claim claims, p_kept jsonb, p_funds jsonb) RETURNS void SECURITY DEFINER SET search_path=public, pg_temp;
FUNCTION credits_owed(p_origin text) RETURNS numeric;
FUNCTION database_incarnation() RETURNS text;
FUNCTION ledger_apply_entries() RETURNS trigger SET enable_seqscan=off SET enable_hashjoin=off SET enable_mergejoin=off;
FUNCTION ledger_end_reserve(p_key text, p_wallet text, p_mint text, p_asset text, p_settlement numeric, p_referral numeric, p_volume numeric, p_to text) RETURNS boolean;
FUNCTION ledger_guard_account() RETURNS trigger;
FUNCTION ledger_post(p_keys text[], p_entries ledger_entry[]) RETURNS text[] SET enable_seqscan=off SET plan_cache_mode=force_generic_plan;
FUNCTION ledger_refuse() RETURNS trigger;
FUNCTION ledger_reserve(p_key text, p_wallet text, p_mint text, p_asset text, p_origins text[]) RETURNS TABLE(origin text, amount numeric);
FUNCTION ledger_totals_fold(p_rows integer) RETURNS void;
FUNCTION partner_totals_add() RETURNS trigger SECURITY DEFINER SET search_path=public, pg_temp;
FUNCTION partner_totals_change() RETURNS trigger SECURITY DEFINER SET search_path=public, pg_temp;
FUNCTION payments_held() RETURNS text;
FUNCTION payments_outdated(p_at timestamp with time zone) RETURNS boolean;
FUNCTION settlement_credit(p_settlement bigint, p_wallets integer) RETURNS boolean SET enable_seqscan=off SET enable_bitmapscan=off;
FUNCTION settlements_owed(p_slot bigint) RETURNS numeric;
FUNCTION stored_among(p_signatures text[]) RETURNS TABLE(signature text, slot bigint, finalized boolean) SET enable_seqscan=off;
FUNCTION trade_ids_take(p_count bigint) RETURNS bigint;
FUNCTION trade_partition_add() RETURNS void SECURITY DEFINER SET search_path=public, pg_temp;
FUNCTION trade_partition_detach(p_name text) RETURNS text SET search_path=public, pg_temp SET lock_timeout=2s;
FUNCTION trade_partition_make(p_name text) RETURNS void;
FUNCTION trade_partitions_end() RETURNS bigint;
FUNCTION treasury_cover(p_lamports numeric, p_slot bigint) RETURNS numeric SECURITY DEFINER SET search_path=public, pg_temp;
FUNCTION treasury_divide(p_fees numeric) RETURNS numeric;
FUNCTION treasury_fund(p_signature text, p_amount numeric, p_slot bigint) RETURNS boolean;
FUNCTION treasury_pay(p_asset text, p_referral numeric, p_slot bigint, p_volume numeric DEFAULT 0) RETURNS void;
FUNCTION volume_credit(p_first bigint, p_last bigint, p_shown_to bigint) RETURNS void SET enable_seqscan=off SET enable_hashjoin=off SET enable_mergejoin=off SET plan_cache_mode=force_generic_plan;
FUNCTION volume_parts(p_first bigint, p_last bigint) RETURNS TABLE(record_id bigint, mint text, wallet text, amount numeric) SET enable_seqscan=off SET plan_cache_mode=force_generic_plan;
FUNCTION volume_show(p_first bigint, p_last bigint) RETURNS void;
FUNCTION webhook_claim() RETURNS trigger SECURITY DEFINER SET search_path=public, pg_temp;
FUNCTION webhook_held() RETURNS trigger SECURITY DEFINER SET search_path=public, pg_temp;
FUNCTION webhook_rewards() RETURNS trigger SECURITY DEFINER SET search_path=public, pg_temp;
FUNCTION webhook_settlement() RETURNS trigger SECURITY DEFINER SET search_path=public, pg_temp;
FUNCTION webhook_tell(p_key text, p_type text, p_partner bigint, p_subject text, p_data json) RETURNS void;
FUNCTION webhook_test(p_endpoint text, p_partner bigint) RETURNS text SECURITY DEFINER SET search_path=public, pg_temp;
FUNCTION webhook_tokens(p_first bigint, p_last bigint) RETURNS void;
FUNCTION webhook_user() RETURNS trigger SECURITY DEFINER SET search_path=public, pg_temp;
