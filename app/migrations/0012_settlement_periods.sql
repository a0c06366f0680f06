UPDATE "settlements" SET "state" = 'abandoned', "updated_at" = now() WHERE "state" = 'snapshot';--> statement-breakpoint
DELETE FROM "settlement_holders";--> statement-breakpoint
DROP INDEX "settlements_open";--> statement-breakpoint
ALTER TABLE "settlements" DROP CONSTRAINT "settlements_state";--> statement-breakpoint
ALTER TABLE "settlements" ALTER COLUMN "state" SET DEFAULT 'sampling';--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "seed_hash" text;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "seed" text;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "started_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "started_slot" bigint;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "period_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "samples" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "value" numeric(39, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "settlements" ADD COLUMN "opens_creator_account" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "settlements_open" ON "settlements" USING btree ("mint") WHERE "settlements"."state" in ('sampling', 'planned');--> statement-breakpoint
CREATE INDEX "settlements_under_way" ON "settlements" USING btree ("id") WHERE "settlements"."state" in ('sampling', 'planned');--> statement-breakpoint
ALTER TABLE "settlements" ADD CONSTRAINT "settlements_state" CHECK ("settlements"."state" in ('sampling', 'planned', 'done', 'failed', 'abandoned'));--> statement-breakpoint
CREATE TABLE "settlement_seeds" (
	"settlement_id" bigint PRIMARY KEY NOT NULL,
	"seed" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "settlement_seeds" ADD CONSTRAINT "settlement_seeds_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE TABLE "settlement_samples" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"settlement_id" bigint NOT NULL,
	"index" integer NOT NULL,
	"slot" bigint,
	"taken_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "settlement_samples" ADD CONSTRAINT "settlement_samples_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "settlement_samples_once" ON "settlement_samples" USING btree ("settlement_id","index") WHERE "settlement_samples"."slot" is not null;--> statement-breakpoint
CREATE INDEX "settlement_samples_of_settlement" ON "settlement_samples" USING btree ("settlement_id");--> statement-breakpoint
CREATE TABLE "settlement_sample_chunks" (
	"sample_id" bigint NOT NULL,
	"chunk" integer NOT NULL,
	"wallets" text[] NOT NULL,
	"balances" numeric[] NOT NULL,
	CONSTRAINT "settlement_sample_chunks_sample_id_chunk_pk" PRIMARY KEY("sample_id","chunk")
);
--> statement-breakpoint
ALTER TABLE "settlement_sample_chunks" ADD CONSTRAINT "settlement_sample_chunks_sample_id_settlement_samples_id_fk" FOREIGN KEY ("sample_id") REFERENCES "public"."settlement_samples"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE TABLE "settlement_waiting" (
	"mint" text COLLATE "C" PRIMARY KEY NOT NULL,
	"problem" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settlement_passes" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"passed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "settlement_passes_single" CHECK ("settlement_passes"."id" = 1)
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
INSERT INTO "opened_accounts" ("owner", "mint", "subject")
SELECT "creator", "mint", 'settlement:' || min("id") FROM "settlements"
WHERE "state" in ('planned', 'done') AND "token_creator" > "token_creator_credited" GROUP BY "creator", "mint";--> statement-breakpoint
UPDATE "settlements" s SET "opens_creator_account" = true
WHERE s."state" = 'planned' AND s."token_creator" > s."token_creator_credited" AND EXISTS (
  SELECT 1 FROM "opened_accounts" o WHERE o."owner" = s."creator" AND o."mint" = s."mint" AND o."subject" = 'settlement:' || s."id"
);
