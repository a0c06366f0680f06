CREATE TABLE "indexer_anchors" (
	"slot" bigint PRIMARY KEY NOT NULL,
	"signature" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
INSERT INTO "indexer_anchors" ("slot", "signature") SELECT "slot", "signature" FROM "indexer_state" WHERE "signature" IS NOT NULL AND "slot" IS NOT NULL;--> statement-breakpoint
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
CREATE INDEX "unreadable_transactions_due" ON "unreadable_transactions" USING btree ("look_again_at") WHERE not "unreadable_transactions"."has_records";--> statement-breakpoint
ALTER TABLE "indexer_state" ADD COLUMN "mismatched_curves" integer DEFAULT 0 NOT NULL;
