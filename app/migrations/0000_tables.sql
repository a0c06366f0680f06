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
	"listed_to" text COLLATE "C",
	"listed" boolean DEFAULT false NOT NULL,
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
	"fetched_at" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "ledger_accounts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"owner" text COLLATE "C",
	"mint" text COLLATE "C" NOT NULL,
	"asset" text NOT NULL,
	"balance" numeric(39, 0) DEFAULT 0 NOT NULL,
	CONSTRAINT "ledger_accounts_once" UNIQUE NULLS NOT DISTINCT("owner","mint","asset","kind"),
	CONSTRAINT "ledger_accounts_kind" CHECK ("ledger_accounts"."kind" in ('claimable', 'reserved', 'claimed', 'referral', 'settlement')),
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
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"partner_id" bigint NOT NULL,
	"secret_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "claims" (
	"signature" text COLLATE "C" PRIMARY KEY NOT NULL,
	"wallet" text COLLATE "C" NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"asset" text NOT NULL,
	"amount" numeric(20, 0) NOT NULL,
	"network_fee" numeric(20, 0) NOT NULL,
	"burn" boolean NOT NULL,
	"transaction" text NOT NULL,
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
CREATE TABLE "settlement_credits" (
	"settlement_id" bigint NOT NULL,
	"wallet" text COLLATE "C" NOT NULL,
	"balance" numeric(20, 0) NOT NULL,
	"sol" numeric(20, 0) NOT NULL,
	"token" numeric(20, 0) NOT NULL,
	CONSTRAINT "settlement_credits_settlement_id_wallet_pk" PRIMARY KEY("settlement_id","wallet")
);
--> statement-breakpoint
CREATE TABLE "settlement_steps" (
	"settlement_id" bigint NOT NULL,
	"step" text NOT NULL,
	"attempt" integer NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"transaction" text NOT NULL,
	"last_valid_block_height" bigint NOT NULL,
	"state" text DEFAULT 'signed' NOT NULL,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "settlement_steps_settlement_id_step_attempt_pk" PRIMARY KEY("settlement_id","step","attempt")
);
--> statement-breakpoint
CREATE TABLE "settlements" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"sol" numeric(20, 0) NOT NULL,
	"sol_holders" numeric(20, 0) NOT NULL,
	"sol_lp" numeric(20, 0) NOT NULL,
	"sol_creator" numeric(20, 0) NOT NULL,
	"token" numeric(20, 0) NOT NULL,
	"token_burned" numeric(20, 0) NOT NULL,
	"token_holders" numeric(20, 0) NOT NULL,
	"token_lp" numeric(20, 0) NOT NULL,
	"token_creator" numeric(20, 0) NOT NULL,
	"snapshot_slot" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "curve_migrations" ADD CONSTRAINT "curve_migrations_record_id_records_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "curve_states" ADD CONSTRAINT "curve_states_mint_tokens_mint_fk" FOREIGN KEY ("mint") REFERENCES "public"."tokens"("mint") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_record_id_records_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trades" ADD CONSTRAINT "trades_record_id_records_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_posting_id_ledger_postings_id_fk" FOREIGN KEY ("posting_id") REFERENCES "public"."ledger_postings"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account_id_ledger_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_users" ADD CONSTRAINT "partner_users_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "referral_rewards" ADD CONSTRAINT "referral_rewards_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registration_nonces" ADD CONSTRAINT "registration_nonces_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_rewards" ADD CONSTRAINT "pending_rewards_record_id_records_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_credits" ADD CONSTRAINT "settlement_credits_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "settlement_steps" ADD CONSTRAINT "settlement_steps_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "curve_migrations_once" ON "curve_migrations" USING btree ("mint");--> statement-breakpoint
CREATE UNIQUE INDEX "records_once" ON "records" USING btree ("signature","outer","inner");--> statement-breakpoint
CREATE INDEX "records_unfinalized" ON "records" USING btree ("slot") WHERE not "records"."finalized";--> statement-breakpoint
CREATE INDEX "tokens_record" ON "tokens" USING btree ("record_id");--> statement-breakpoint
CREATE INDEX "trades_of_mint" ON "trades" USING btree ("mint","record_id");--> statement-breakpoint
CREATE INDEX "trades_of_trader" ON "trades" USING btree ("trader","record_id");--> statement-breakpoint
CREATE INDEX "ledger_accounts_of_mint" ON "ledger_accounts" USING btree ("mint");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_account" ON "ledger_entries" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_of_posting" ON "ledger_entries" USING btree ("posting_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_postings_once" ON "ledger_postings" USING btree ("key");--> statement-breakpoint
CREATE INDEX "api_keys_of_partner" ON "api_keys" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "partner_users_page" ON "partner_users" USING btree ("partner_id","registered_at","wallet");--> statement-breakpoint
CREATE UNIQUE INDEX "partners_name" ON "partners" USING btree ("name");--> statement-breakpoint
CREATE UNIQUE INDEX "referral_rewards_once" ON "referral_rewards" USING btree ("signature","outer","inner");--> statement-breakpoint
CREATE INDEX "referral_rewards_of_partner" ON "referral_rewards" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "registration_nonces_expiry" ON "registration_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "claims_in_progress" ON "claims" USING btree ("wallet","mint") WHERE "claims"."state" = 'IN_PROGRESS';--> statement-breakpoint
CREATE INDEX "claims_open" ON "claims" USING btree ("created_at") WHERE "claims"."state" = 'IN_PROGRESS';--> statement-breakpoint
CREATE INDEX "claims_of_wallet" ON "claims" USING btree ("wallet","created_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_expiry" ON "idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "pending_rewards_of_wallet" ON "pending_rewards" USING btree ("wallet","mint");--> statement-breakpoint
CREATE INDEX "used_signatures_expiry" ON "used_signatures" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "settlement_steps_signature" ON "settlement_steps" USING btree ("signature");--> statement-breakpoint
CREATE UNIQUE INDEX "settlements_open" ON "settlements" USING btree ("mint") WHERE "settlements"."state" = 'open';--> statement-breakpoint
CREATE INDEX "settlements_of_mint" ON "settlements" USING btree ("mint","id");