ALTER TABLE "indexer_state" ADD COLUMN "first_slot" bigint;--> statement-breakpoint
ALTER TABLE "indexer_state" ADD COLUMN "held" text;--> statement-breakpoint
UPDATE "indexer_state" SET "first_slot" = (SELECT min("slot") FROM "records" WHERE "finalized");