CREATE TABLE "authority_transactions" (
	"signature" text COLLATE "C" PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"transaction" text NOT NULL,
	"last_valid_block_height" bigint NOT NULL,
	"state" text DEFAULT 'signed' NOT NULL,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "authority_transactions_state" CHECK ("authority_transactions"."state" in ('signed', 'finalized', 'failed', 'expired'))
);
--> statement-breakpoint
CREATE TABLE "settlement_holders" (
	"settlement_id" bigint NOT NULL,
	"wallet" text COLLATE "C" NOT NULL,
	"balance" numeric(39, 0) NOT NULL,
	CONSTRAINT "settlement_holders_settlement_id_wallet_pk" PRIMARY KEY("settlement_id","wallet")
);
--> statement-breakpoint
ALTER TABLE "settlement_steps" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "settlement_steps" CASCADE;--> statement-breakpoint
DROP INDEX "settlements_open";--> statement-breakpoint
ALTER TABLE "settlement_credits" ALTER COLUMN "balance" SET DATA TYPE numeric(39, 0);--> statement-breakpoint
ALTER TABLE "settlements" ALTER COLUMN "state" SET DEFAULT 'snapshot';--> statement-breakpoint
ALTER TABLE "settlements" ALTER COLUMN "sol" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "settlements" ALTER COLUMN "sol_holders" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "settlements" ALTER COLUMN "sol_lp" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "settlements" ALTER COLUMN "sol_creator" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "settlements" ALTER COLUMN "token" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "settlements" ALTER COLUMN "token_burned" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "settlements" ALTER COLUMN "token_holders" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "settlements" ALTER COLUMN "token_lp" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "settlements" ALTER COLUMN "token_creator" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "treasury" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "lp" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "creator" text COLLATE "C" NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "sol_creator_credited" numeric(20, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "token_creator_credited" numeric(20, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "holders" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "held" numeric(39, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "signature" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "problem" text;--> statement-breakpoint
ALTER TABLE "settlement_holders" ADD CONSTRAINT "settlement_holders_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "authority_transactions_undecided" ON "authority_transactions" USING btree ("subject") WHERE "authority_transactions"."state" = 'signed';--> statement-breakpoint
CREATE INDEX "authority_transactions_of_subject" ON "authority_transactions" USING btree ("subject","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "settlements_open" ON "settlements" USING btree ("mint") WHERE "settlements"."state" in ('snapshot', 'planned');--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_state" CHECK ("settlements"."state" in ('snapshot', 'planned', 'done', 'failed', 'abandoned'));--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_sol" CHECK ("settlements"."sol" = "settlements"."sol_holders" + "settlements"."sol_lp" + "settlements"."sol_creator");--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_token" CHECK ("settlements"."token" = "settlements"."token_burned" + "settlements"."token_holders" + "settlements"."token_lp" + "settlements"."token_creator");--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_done" CHECK (("settlements"."state" = 'done') = ("settlements"."signature" is not null));