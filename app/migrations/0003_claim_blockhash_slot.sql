ALTER TABLE "claims" ADD COLUMN "blockhash_slot" bigint NOT NULL;--> statement-breakpoint
CREATE INDEX "claims_expired" ON "claims" USING btree ("updated_at") WHERE "claims"."state" = 'EXPIRED';