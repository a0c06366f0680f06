CREATE TYPE "public"."claim_refusal" AS ENUM('held', 'key taken', 'in progress', 'other amount', 'stale balance', 'short of tokens', 'short of SOL', 'short of SOL for the network', 'referral not funded');--> statement-breakpoint
CREATE TABLE "curve_migrations" (
	"record_id" bigint PRIMARY KEY NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"fee_account" text COLLATE "C" NOT NULL,
	"sol_amount" numeric(20, 0) NOT NULL,
	"token_amount" numeric(20, 0) NOT NULL,
	"timestamp" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "curve_states" (
	"mint" text COLLATE "C" PRIMARY KEY NOT NULL,
	"status" smallint NOT NULL,
	"virtual_sol" numeric(20, 0) NOT NULL,
	"virtual_token" numeric(20, 0) NOT NULL,
	"buys" bigint NOT NULL,
	"sells" bigint NOT NULL,
	"sol_paid" numeric(39, 0) NOT NULL,
	"sol_received" numeric(39, 0) NOT NULL,
	"tokens_bought" numeric(39, 0) NOT NULL,
	"tokens_sold" numeric(39, 0) NOT NULL,
	"fees" numeric(39, 0) NOT NULL,
	"last_record_id" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "graduations" (
	"record_id" bigint PRIMARY KEY NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"pool" text COLLATE "C" NOT NULL,
	"pool_sol" numeric(20, 0) NOT NULL,
	"pool_token" numeric(20, 0) NOT NULL,
	"community_sol" numeric(20, 0) NOT NULL,
	"community_token" numeric(20, 0) NOT NULL,
	"burnt" numeric(20, 0) NOT NULL,
	"costs" numeric(20, 0) NOT NULL,
	"timestamp" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "indexer_anchors" (
	"slot" bigint PRIMARY KEY NOT NULL,
	"signature" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "indexer_backlog" (
	"age" bigserial PRIMARY KEY NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"slot" bigint NOT NULL,
	"failed" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "indexer_state" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"program_id" text COLLATE "C" NOT NULL,
	"version" bigint DEFAULT 0 NOT NULL,
	"signature" text COLLATE "C",
	"slot" bigint,
	"scanned_slot" bigint,
	"listed_to" text COLLATE "C",
	"listed" boolean DEFAULT false NOT NULL,
	"first_slot" bigint,
	"held" text,
	"mismatched_curves" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "indexer_state_single" CHECK ("indexer_state"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "records" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"outer" smallint NOT NULL,
	"inner" smallint NOT NULL,
	"slot" bigint NOT NULL,
	"kind" text NOT NULL,
	"mint" text COLLATE "C",
	"finalized" boolean NOT NULL,
	"raw" text
);
--> statement-breakpoint
CREATE TABLE "token_metadata" (
	"mint" text COLLATE "C" PRIMARY KEY NOT NULL,
	"uri" text NOT NULL,
	"image" text NOT NULL,
	"problem" text,
	"picture" text,
	"picture_problem" text,
	"document" text,
	"description" text,
	"links" jsonb,
	"fetched_at" timestamp with time zone DEFAULT now() NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"mint" text COLLATE "C" PRIMARY KEY NOT NULL,
	"record_id" bigint NOT NULL,
	"creator" text COLLATE "C" NOT NULL,
	"curve" text COLLATE "C" NOT NULL,
	"name" text NOT NULL,
	"symbol" text NOT NULL,
	"uri" text NOT NULL,
	"after_migration_fee_bps" integer NOT NULL,
	"burn_bps" integer NOT NULL,
	"holders_bps" integer NOT NULL,
	"lp_bps" integer NOT NULL,
	"initial_virtual_sol" numeric(20, 0) NOT NULL,
	"initial_virtual_token" numeric(20, 0) NOT NULL,
	"platform_fee_bps" integer NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trades" (
	"record_id" bigint PRIMARY KEY NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"trader" text COLLATE "C" NOT NULL,
	"is_buy" boolean NOT NULL,
	"sol_amount" numeric(20, 0) NOT NULL,
	"token_amount" numeric(20, 0) NOT NULL,
	"fee" numeric(20, 0) NOT NULL,
	"virtual_sol" numeric(20, 0) NOT NULL,
	"virtual_token" numeric(20, 0) NOT NULL,
	"graduated" boolean NOT NULL,
	"timestamp" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "unreadable_transactions" (
	"signature" text COLLATE "C" PRIMARY KEY NOT NULL,
	"slot" bigint NOT NULL,
	"version" integer,
	"reason" text NOT NULL,
	"has_records" boolean DEFAULT false NOT NULL,
	"looks" integer DEFAULT 0 NOT NULL,
	"look_again_at" timestamp with time zone DEFAULT now() + interval '1 minute' NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"token" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"session_pid" integer NOT NULL,
	"session_start" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"owner" text COLLATE "C",
	"mint" text COLLATE "C" NOT NULL,
	"asset" text NOT NULL,
	"origin" text NOT NULL,
	"balance" numeric(39, 0) DEFAULT 0 NOT NULL,
	CONSTRAINT "ledger_accounts_once" UNIQUE NULLS NOT DISTINCT("owner","mint","asset","kind","origin"),
	CONSTRAINT "ledger_accounts_kind" CHECK ("ledger_accounts"."kind" in ('claimable', 'reserved', 'claimed', 'referral', 'settlement')),
	CONSTRAINT "ledger_accounts_origin" CHECK ("ledger_accounts"."origin" in ('referral', 'settlement') and ("ledger_accounts"."owner" is not null or "ledger_accounts"."kind" = "ledger_accounts"."origin")),
	CONSTRAINT "ledger_accounts_asset" CHECK ("ledger_accounts"."asset" in ('SOL', 'TOKEN')),
	CONSTRAINT "ledger_accounts_owner" CHECK (("ledger_accounts"."owner" is null) = ("ledger_accounts"."kind" in ('referral', 'settlement'))),
	CONSTRAINT "ledger_accounts_sign" CHECK (case when "ledger_accounts"."owner" is null then "ledger_accounts"."balance" <= 0 else "ledger_accounts"."balance" >= 0 end)
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"posting_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"amount" numeric(39, 0) NOT NULL,
	CONSTRAINT "ledger_entries_amount" CHECK ("ledger_entries"."amount" <> 0)
);
--> statement-breakpoint
CREATE TABLE "ledger_postings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_totals" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"asset" text NOT NULL,
	"origin" text NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(39, 0) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "candles" (
	"mint" text COLLATE "C" NOT NULL,
	"minute" bigint NOT NULL,
	"first_id" bigint NOT NULL,
	"open" numeric(39, 0) NOT NULL,
	"high" numeric(39, 0) NOT NULL,
	"low" numeric(39, 0) NOT NULL,
	"close" numeric(39, 0) NOT NULL,
	"volume" numeric(39, 0) NOT NULL,
	"trades" integer NOT NULL,
	CONSTRAINT "candles_mint_minute_pk" PRIMARY KEY("mint","minute")
);
--> statement-breakpoint
CREATE TABLE "market_events" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"mint" text COLLATE "C",
	"wallet" text COLLATE "C",
	"type" text NOT NULL,
	"data" text NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "market_state" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"lapsed_to" bigint NOT NULL,
	CONSTRAINT "market_state_single" CHECK ("market_state"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "market_tokens" (
	"mint" text COLLATE "C" PRIMARY KEY NOT NULL,
	"status" smallint NOT NULL,
	"initial_virtual_token" numeric(20, 0) NOT NULL,
	"virtual_sol" numeric(20, 0) NOT NULL,
	"virtual_token" numeric(20, 0) NOT NULL,
	"market_cap" numeric(39, 0) NOT NULL,
	"progress_bps" integer NOT NULL,
	"day_volume" numeric(39, 0) NOT NULL,
	"day_open" numeric(39, 0) NOT NULL,
	"trades" bigint NOT NULL,
	"last_trade_at" bigint NOT NULL,
	"created_id" bigint NOT NULL,
	"last_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pool_trades" (
	"id" bigint PRIMARY KEY NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"outer" smallint NOT NULL,
	"inner" smallint NOT NULL,
	"slot" bigint NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"trader" text COLLATE "C" NOT NULL,
	"is_buy" boolean NOT NULL,
	"sol_amount" numeric(20, 0) NOT NULL,
	"token_amount" numeric(20, 0) NOT NULL,
	"fee" numeric(20, 0) NOT NULL,
	"virtual_sol" numeric(20, 0) NOT NULL,
	"virtual_token" numeric(20, 0) NOT NULL,
	"timestamp" bigint NOT NULL,
	"finalized" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "positions" (
	"wallet" text COLLATE "C" NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"amount" numeric(39, 0) NOT NULL,
	"paid" numeric(39, 0) NOT NULL,
	"received" numeric(39, 0) NOT NULL,
	"trades" bigint NOT NULL,
	CONSTRAINT "positions_wallet_mint_pk" PRIMARY KEY("wallet","mint")
);
--> statement-breakpoint
CREATE TABLE "token_terms" (
	"term" text COLLATE "C" NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	CONSTRAINT "token_terms_term_mint_pk" PRIMARY KEY("term","mint")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"partner_id" bigint NOT NULL,
	"secret_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"request_limit" integer,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"replaced_by" text,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_request_limit" CHECK ("api_keys"."request_limit" > 0)
);
--> statement-breakpoint
CREATE TABLE "partner_totals" (
	"partner_id" bigint PRIMARY KEY NOT NULL,
	"users" bigint DEFAULT 0 NOT NULL,
	"trades" bigint DEFAULT 0 NOT NULL,
	"volume_sol" numeric(39, 0) DEFAULT 0 NOT NULL,
	"fees_sol" numeric(39, 0) DEFAULT 0 NOT NULL,
	"reward_sol" numeric(39, 0) DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "partner_users" (
	"wallet" text COLLATE "C" PRIMARY KEY NOT NULL,
	"partner_id" bigint NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"registered_at" timestamp with time zone DEFAULT now() NOT NULL,
	"registered_slot" bigint NOT NULL,
	"trades" bigint DEFAULT 0 NOT NULL,
	"volume_sol" numeric(39, 0) DEFAULT 0 NOT NULL,
	"fees_sol" numeric(39, 0) DEFAULT 0 NOT NULL,
	"reward_sol" numeric(39, 0) DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "partners" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"payout_wallet" text COLLATE "C" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "referral_rewards" (
	"signature" text COLLATE "C" NOT NULL,
	"outer" smallint NOT NULL,
	"inner" smallint NOT NULL,
	"partner_id" bigint NOT NULL,
	"user" text COLLATE "C" NOT NULL,
	"payout_wallet" text COLLATE "C" NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"fee" numeric(20, 0) NOT NULL,
	"share_bps" integer NOT NULL,
	"reward" numeric(20, 0) NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registration_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"partner_id" bigint NOT NULL,
	"message" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "payment_findings" (
	"signature" text COLLATE "C" PRIMARY KEY NOT NULL,
	"slot" bigint NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"detail" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_findings_kind" CHECK ("payment_findings"."kind" in ('claim', 'settlement', 'funding', 'other')),
	CONSTRAINT "payment_findings_state" CHECK ("payment_findings"."state" in ('open', 'booked', 'accepted', 'other', 'unreadable'))
);
--> statement-breakpoint
CREATE TABLE "payment_unread" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"slot" bigint NOT NULL,
	"is_own" boolean DEFAULT false NOT NULL,
	CONSTRAINT "payment_unread_signature" UNIQUE("signature")
);
--> statement-breakpoint
CREATE TABLE "payment_watches" (
	"address" text COLLATE "C" NOT NULL,
	"role" text NOT NULL,
	"signature" text COLLATE "C",
	"slot" bigint,
	"listed_slot" bigint,
	"listed_signature" text COLLATE "C",
	"listing_slot" bigint,
	"listing_signature" text COLLATE "C",
	"listing_before" text COLLATE "C",
	CONSTRAINT "payment_watches_address_role_pk" PRIMARY KEY("address","role"),
	CONSTRAINT "payment_watches_role" CHECK ("payment_watches"."role" in ('treasury', 'dex owner'))
);
--> statement-breakpoint
CREATE TABLE "payments_gate" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"incarnation" text,
	"reconciled_at" timestamp with time zone,
	"reconciled_slot" bigint,
	"held" text,
	"waiting_incarnation" text,
	"waiting_height" bigint,
	"progress" text,
	"unread" bigint,
	CONSTRAINT "payments_gate_single" CHECK ("payments_gate"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "recovered_payments" (
	"settlement_id" bigint NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"wallet" text COLLATE "C" NOT NULL,
	"sol" numeric(20, 0) NOT NULL,
	"token" numeric(20, 0) NOT NULL,
	CONSTRAINT "recovered_payments_settlement_id_signature_pk" PRIMARY KEY("settlement_id","signature")
);
--> statement-breakpoint
CREATE TABLE "recovered_settlements" (
	"settlement_id" bigint PRIMARY KEY NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"slot" bigint NOT NULL,
	"sol" numeric(20, 0) NOT NULL,
	"token" numeric(20, 0) NOT NULL,
	"sol_left" numeric(20, 0) NOT NULL,
	"token_left" numeric(20, 0) NOT NULL,
	CONSTRAINT "recovered_settlements_sol" CHECK ("recovered_settlements"."sol_left" between 0 and "recovered_settlements"."sol"),
	CONSTRAINT "recovered_settlements_token" CHECK ("recovered_settlements"."token_left" between 0 and "recovered_settlements"."token")
);
--> statement-breakpoint
CREATE TABLE "hidden_tokens" (
	"mint" text COLLATE "C" PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"hidden_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_files" (
	"hash" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"bytes" integer NOT NULL,
	"stored_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "claims" (
	"signature" text COLLATE "C" PRIMARY KEY NOT NULL,
	"wallet" text COLLATE "C" NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"asset" text NOT NULL,
	"amount" numeric(20, 0) NOT NULL,
	"referral" numeric(20, 0) DEFAULT 0 NOT NULL,
	"network_fee" numeric(20, 0) NOT NULL,
	"burn" boolean NOT NULL,
	"opens_account" boolean DEFAULT false NOT NULL,
	"rent" numeric(20, 0) DEFAULT 0 NOT NULL,
	"transaction" text NOT NULL,
	"blockhash_slot" bigint NOT NULL,
	"last_valid_block_height" bigint NOT NULL,
	"state" text DEFAULT 'IN_PROGRESS' NOT NULL,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "claims_state" CHECK ("claims"."state" in ('IN_PROGRESS', 'COMPLETED', 'FAILED', 'EXPIRED'))
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"wallet" text COLLATE "C" NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"status_code" integer NOT NULL,
	"body" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_wallet_key_pk" PRIMARY KEY("wallet","key")
);
--> statement-breakpoint
CREATE TABLE "pending_rewards" (
	"record_id" bigint NOT NULL,
	"wallet" text COLLATE "C" NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"asset" text NOT NULL,
	"amount" numeric(20, 0) NOT NULL,
	CONSTRAINT "pending_rewards_record_id_wallet_asset_pk" PRIMARY KEY("record_id","wallet","asset")
);
--> statement-breakpoint
CREATE TABLE "used_signatures" (
	"signature" text COLLATE "C" PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "authority_transactions" (
	"signature" text COLLATE "C" PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"transaction" text NOT NULL,
	"blockhash_slot" bigint,
	"last_valid_block_height" bigint NOT NULL,
	"state" text DEFAULT 'signed' NOT NULL,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "authority_transactions_state" CHECK ("authority_transactions"."state" in ('signed', 'finalized', 'failed', 'expired'))
);
--> statement-breakpoint
CREATE TABLE "opened_accounts" (
	"owner" text COLLATE "C" NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"subject" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "opened_accounts_owner_mint_pk" PRIMARY KEY("owner","mint")
);
--> statement-breakpoint
CREATE TABLE "settlement_credits" (
	"settlement_id" bigint NOT NULL,
	"wallet" text COLLATE "C" NOT NULL,
	"balance" numeric(39, 0) NOT NULL,
	"sol" numeric(20, 0) NOT NULL,
	"token" numeric(20, 0) NOT NULL,
	CONSTRAINT "settlement_credits_settlement_id_wallet_pk" PRIMARY KEY("settlement_id","wallet")
);
--> statement-breakpoint
CREATE TABLE "settlement_holders" (
	"settlement_id" bigint NOT NULL,
	"wallet" text COLLATE "C" NOT NULL,
	"balance" numeric(39, 0) NOT NULL,
	CONSTRAINT "settlement_holders_settlement_id_wallet_pk" PRIMARY KEY("settlement_id","wallet")
);
--> statement-breakpoint
CREATE TABLE "settlement_passes" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"passed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "settlement_passes_single" CHECK ("settlement_passes"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "settlement_sample_chunks" (
	"sample_id" bigint NOT NULL,
	"chunk" integer NOT NULL,
	"wallets" text[] NOT NULL,
	"balances" numeric[] NOT NULL,
	CONSTRAINT "settlement_sample_chunks_sample_id_chunk_pk" PRIMARY KEY("sample_id","chunk")
);
--> statement-breakpoint
CREATE TABLE "settlement_samples" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"settlement_id" bigint NOT NULL,
	"index" integer NOT NULL,
	"slot" bigint,
	"taken_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settlement_seeds" (
	"settlement_id" bigint PRIMARY KEY NOT NULL,
	"seed" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settlement_waiting" (
	"mint" text COLLATE "C" PRIMARY KEY NOT NULL,
	"problem" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settlements" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"state" text DEFAULT 'sampling' NOT NULL,
	"treasury" text COLLATE "C",
	"lp" text COLLATE "C",
	"creator" text COLLATE "C" NOT NULL,
	"sol" numeric(20, 0) DEFAULT 0 NOT NULL,
	"sol_holders" numeric(20, 0) DEFAULT 0 NOT NULL,
	"sol_lp" numeric(20, 0) DEFAULT 0 NOT NULL,
	"sol_creator" numeric(20, 0) DEFAULT 0 NOT NULL,
	"sol_creator_credited" numeric(20, 0) DEFAULT 0 NOT NULL,
	"token" numeric(20, 0) DEFAULT 0 NOT NULL,
	"token_burned" numeric(20, 0) DEFAULT 0 NOT NULL,
	"token_holders" numeric(20, 0) DEFAULT 0 NOT NULL,
	"token_lp" numeric(20, 0) DEFAULT 0 NOT NULL,
	"token_creator" numeric(20, 0) DEFAULT 0 NOT NULL,
	"token_creator_credited" numeric(20, 0) DEFAULT 0 NOT NULL,
	"seed_hash" text,
	"seed" text,
	"started_at" timestamp with time zone,
	"started_slot" bigint,
	"period_ms" bigint DEFAULT 0 NOT NULL,
	"samples" integer DEFAULT 0 NOT NULL,
	"value" numeric(39, 0) DEFAULT 0 NOT NULL,
	"opens_creator_account" boolean DEFAULT false NOT NULL,
	"snapshot_slot" bigint,
	"holders" integer DEFAULT 0 NOT NULL,
	"held" numeric(39, 0) DEFAULT 0 NOT NULL,
	"signature" text COLLATE "C",
	"credited_through" text COLLATE "C",
	"sol_credited" numeric(20, 0) DEFAULT 0 NOT NULL,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "settlements_state" CHECK ("settlements"."state" in ('sampling', 'planned', 'paid', 'done', 'failed', 'abandoned')),
	CONSTRAINT "settlements_sol" CHECK ("settlements"."sol" = "settlements"."sol_holders" + "settlements"."sol_lp" + "settlements"."sol_creator"),
	CONSTRAINT "settlements_token" CHECK ("settlements"."token" = "settlements"."token_burned" + "settlements"."token_holders" + "settlements"."token_lp" + "settlements"."token_creator"),
	CONSTRAINT "settlements_done" CHECK (("settlements"."state" in ('paid', 'done')) = ("settlements"."signature" is not null))
);
--> statement-breakpoint
CREATE TABLE "treasury" (
	"asset" text COLLATE "C" PRIMARY KEY NOT NULL,
	"reserved" numeric(39, 0) DEFAULT 0 NOT NULL,
	"costs" numeric(39, 0) DEFAULT 0 NOT NULL,
	"referral_funded" numeric(39, 0) DEFAULT 0 NOT NULL,
	"referral_reserved" numeric(39, 0) DEFAULT 0 NOT NULL,
	"referral_settled" numeric(39, 0) DEFAULT 0 NOT NULL,
	"referral_cover" numeric(39, 0) DEFAULT 0 NOT NULL,
	"spent_slot" bigint DEFAULT 0 NOT NULL,
	"settled_slot" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "treasury_signs" CHECK ("treasury"."reserved" >= 0 and "treasury"."costs" >= 0 and "treasury"."referral_reserved" >= 0 and "treasury"."referral_settled" >= 0),
	CONSTRAINT "treasury_cover" CHECK ("treasury"."referral_cover" <= "treasury"."referral_funded" - "treasury"."referral_settled")
);
--> statement-breakpoint
CREATE TABLE "treasury_fundings" (
	"signature" text COLLATE "C" PRIMARY KEY NOT NULL,
	"origin" text NOT NULL,
	"amount" numeric(20, 0) NOT NULL,
	"slot" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "treasury_fundings_origin" CHECK ("treasury_fundings"."origin" in ('referral')),
	CONSTRAINT "treasury_fundings_amount" CHECK ("treasury_fundings"."amount" > 0)
);
--> statement-breakpoint
CREATE TABLE "database_versions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"functions" jsonb NOT NULL,
	"applied_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "curve_migrations" ADD CONSTRAINT "curve_migrations_record_id_records_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "curve_states" ADD CONSTRAINT "curve_states_mint_tokens_mint_fk" FOREIGN KEY ("mint") REFERENCES "public"."tokens"("mint") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "graduations" ADD CONSTRAINT "graduations_record_id_records_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_record_id_records_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trades" ADD CONSTRAINT "trades_record_id_records_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_posting_id_ledger_postings_id_fk" FOREIGN KEY ("posting_id") REFERENCES "public"."ledger_postings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "market_tokens" ADD CONSTRAINT "market_tokens_mint_tokens_mint_fk" FOREIGN KEY ("mint") REFERENCES "public"."tokens"("mint") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "token_terms" ADD CONSTRAINT "token_terms_mint_tokens_mint_fk" FOREIGN KEY ("mint") REFERENCES "public"."tokens"("mint") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_totals" ADD CONSTRAINT "partner_totals_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_users" ADD CONSTRAINT "partner_users_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_rewards" ADD CONSTRAINT "referral_rewards_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration_nonces" ADD CONSTRAINT "registration_nonces_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovered_payments" ADD CONSTRAINT "recovered_payments_settlement_id_recovered_settlements_settlement_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."recovered_settlements"("settlement_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovered_settlements" ADD CONSTRAINT "recovered_settlements_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_rewards" ADD CONSTRAINT "pending_rewards_record_id_records_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_credits" ADD CONSTRAINT "settlement_credits_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_holders" ADD CONSTRAINT "settlement_holders_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_sample_chunks" ADD CONSTRAINT "settlement_sample_chunks_sample_id_settlement_samples_id_fk" FOREIGN KEY ("sample_id") REFERENCES "public"."settlement_samples"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_samples" ADD CONSTRAINT "settlement_samples_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_seeds" ADD CONSTRAINT "settlement_seeds_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "curve_migrations_once" ON "curve_migrations" USING btree ("mint");--> statement-breakpoint
CREATE INDEX "curve_states_waiting" ON "curve_states" USING btree ("updated_at") WHERE "curve_states"."status" = 2 or "curve_states"."status" = 1 and "curve_states"."virtual_token" <= 280000100000000;--> statement-breakpoint
CREATE UNIQUE INDEX "graduations_once" ON "graduations" USING btree ("mint");--> statement-breakpoint
CREATE UNIQUE INDEX "records_once" ON "records" USING btree ("signature","outer","inner");--> statement-breakpoint
CREATE INDEX "records_unfinalized" ON "records" USING btree ("id") WHERE not "records"."finalized";--> statement-breakpoint
CREATE INDEX "token_metadata_retry" ON "token_metadata" USING btree ("retry_at") WHERE "token_metadata"."retry_at" is not null;--> statement-breakpoint
CREATE INDEX "token_metadata_picture" ON "token_metadata" USING btree ("picture") WHERE "token_metadata"."picture" is not null;--> statement-breakpoint
CREATE INDEX "token_metadata_document" ON "token_metadata" USING btree ("document") WHERE "token_metadata"."document" is not null;--> statement-breakpoint
CREATE INDEX "tokens_record" ON "tokens" USING btree ("record_id");--> statement-breakpoint
CREATE INDEX "tokens_of_creator" ON "tokens" USING btree ("creator","record_id");--> statement-breakpoint
CREATE INDEX "trades_of_mint" ON "trades" USING btree ("mint","record_id");--> statement-breakpoint
CREATE INDEX "trades_of_trader" ON "trades" USING btree ("trader","record_id");--> statement-breakpoint
CREATE INDEX "unreadable_transactions_due" ON "unreadable_transactions" USING btree ("look_again_at") WHERE not "unreadable_transactions"."has_records";--> statement-breakpoint
CREATE INDEX "ledger_entries_of_account" ON "ledger_entries" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_posting" ON "ledger_entries" USING btree ("posting_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_postings_once" ON "ledger_postings" USING btree ("key");--> statement-breakpoint
CREATE INDEX "candles_minute" ON "candles" USING btree ("minute");--> statement-breakpoint
CREATE INDEX "market_events_mint" ON "market_events" USING btree ("mint","id");--> statement-breakpoint
CREATE INDEX "market_events_wallet" ON "market_events" USING btree ("wallet","id") WHERE wallet is not null;--> statement-breakpoint
CREATE INDEX "market_events_board" ON "market_events" USING btree ("id") WHERE type <> 'trade';--> statement-breakpoint
CREATE INDEX "market_events_all" ON "market_events" USING btree ("id") WHERE type in ('dropped', 'reset');--> statement-breakpoint
CREATE INDEX "market_tokens_new" ON "market_tokens" USING btree ("status","created_id");--> statement-breakpoint
CREATE INDEX "market_tokens_cap" ON "market_tokens" USING btree ("status","market_cap","mint");--> statement-breakpoint
CREATE INDEX "market_tokens_volume" ON "market_tokens" USING btree ("status","day_volume","mint");--> statement-breakpoint
CREATE INDEX "market_tokens_progress" ON "market_tokens" USING btree ("status","progress_bps","mint");--> statement-breakpoint
CREATE INDEX "market_tokens_last_trade" ON "market_tokens" USING btree ("status","last_trade_at","mint");--> statement-breakpoint
CREATE UNIQUE INDEX "pool_trades_once" ON "pool_trades" USING btree ("signature","outer","inner");--> statement-breakpoint
CREATE INDEX "pool_trades_of_mint" ON "pool_trades" USING btree ("mint","id");--> statement-breakpoint
CREATE INDEX "pool_trades_of_trader" ON "pool_trades" USING btree ("trader","id");--> statement-breakpoint
CREATE INDEX "pool_trades_unfinalized" ON "pool_trades" USING btree ("slot") WHERE not "pool_trades"."finalized";--> statement-breakpoint
CREATE INDEX "token_terms_mint" ON "token_terms" USING btree ("mint");--> statement-breakpoint
CREATE INDEX "api_keys_of_partner" ON "api_keys" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "api_keys_with_limit" ON "api_keys" USING btree ("id") WHERE "api_keys"."request_limit" is not null and "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "partner_users_page" ON "partner_users" USING btree ("partner_id","registered_at","wallet");--> statement-breakpoint
CREATE UNIQUE INDEX "partners_name" ON "partners" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "referral_rewards_once" ON "referral_rewards" USING btree ("signature","outer","inner");--> statement-breakpoint
CREATE INDEX "referral_rewards_of_partner" ON "referral_rewards" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "registration_nonces_expiry" ON "registration_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "payment_findings_open" ON "payment_findings" USING btree ("slot") WHERE "payment_findings"."state" = 'open';--> statement-breakpoint
CREATE INDEX "payment_findings_unreadable" ON "payment_findings" USING btree ("slot") WHERE "payment_findings"."state" = 'unreadable';--> statement-breakpoint
CREATE INDEX "payment_unread_order" ON "payment_unread" USING btree ("is_own","slot");--> statement-breakpoint
CREATE INDEX "recovered_settlements_left" ON "recovered_settlements" USING btree ("mint","settlement_id") WHERE "recovered_settlements"."sol_left" > 0 or "recovered_settlements"."token_left" > 0;--> statement-breakpoint
CREATE INDEX "stored_files_age" ON "stored_files" USING btree ("stored_at");--> statement-breakpoint
CREATE UNIQUE INDEX "claims_in_progress" ON "claims" USING btree ("wallet","mint") WHERE "claims"."state" = 'IN_PROGRESS';--> statement-breakpoint
CREATE INDEX "claims_open" ON "claims" USING btree ("created_at") WHERE "claims"."state" = 'IN_PROGRESS';--> statement-breakpoint
CREATE INDEX "claims_expired" ON "claims" USING btree ("updated_at") WHERE "claims"."state" = 'EXPIRED';--> statement-breakpoint
CREATE INDEX "claims_paid" ON "claims" USING btree ("updated_at") WHERE "claims"."state" in ('COMPLETED', 'FAILED');--> statement-breakpoint
CREATE INDEX "claims_of_wallet" ON "claims" USING btree ("wallet","created_at");--> statement-breakpoint
CREATE INDEX "claims_opening_accounts" ON "claims" USING btree ("created_at") WHERE "claims"."opens_account";--> statement-breakpoint
CREATE INDEX "idempotency_keys_expiry" ON "idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "pending_rewards_of_wallet" ON "pending_rewards" USING btree ("wallet","mint");--> statement-breakpoint
CREATE INDEX "used_signatures_expiry" ON "used_signatures" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "authority_transactions_undecided" ON "authority_transactions" USING btree ("subject") WHERE "authority_transactions"."state" = 'signed';--> statement-breakpoint
CREATE INDEX "authority_transactions_of_subject" ON "authority_transactions" USING btree ("subject","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "settlement_samples_once" ON "settlement_samples" USING btree ("settlement_id","index") WHERE "settlement_samples"."slot" is not null;--> statement-breakpoint
CREATE INDEX "settlement_samples_of_settlement" ON "settlement_samples" USING btree ("settlement_id");--> statement-breakpoint
CREATE UNIQUE INDEX "settlements_open" ON "settlements" USING btree ("mint") WHERE "settlements"."state" in ('sampling', 'planned', 'paid');--> statement-breakpoint
CREATE INDEX "settlements_under_way" ON "settlements" USING btree ("id") WHERE "settlements"."state" in ('sampling', 'planned', 'paid');--> statement-breakpoint
CREATE INDEX "settlements_of_mint" ON "settlements" USING btree ("mint","id");--> statement-breakpoint

-- Beyond what drizzle's schema can say.
-- A new account's first entry comes right after it. With room left in its page, the changed balance needs no new entries in
-- the table's indexes.
ALTER TABLE ledger_accounts SET (fillfactor = 50);
--> statement-breakpoint
-- One movement of a posting, as ledger_post.sql takes them.
CREATE TYPE ledger_entry AS (key text, kind text, owner text, mint text, asset text, origin text, amount numeric);
--> statement-breakpoint
-- Its one row is locked while trades are booked: it must be there.
INSERT INTO market_state (lapsed_to) VALUES (0);
--> statement-breakpoint
-- What claims in progress take of the treasury's SOL; a token's row comes with its first claim.
INSERT INTO treasury (asset) VALUES ('SOL');
