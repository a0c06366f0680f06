ALTER TABLE "api_keys" ADD COLUMN "replaced_by" text;--> statement-breakpoint
ALTER TABLE "claims" ADD COLUMN "rent" numeric(20, 0) DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "claims_paid" ON "claims" USING btree ("updated_at") WHERE "claims"."state" in ('COMPLETED', 'FAILED');--> statement-breakpoint
-- What claims that were under way already take: the rent of a token account.
UPDATE "claims" SET "rent" = 2039280 WHERE "state" = 'IN_PROGRESS' AND "opens_account";
