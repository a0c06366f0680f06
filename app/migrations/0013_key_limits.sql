ALTER TABLE "api_keys" ADD COLUMN "request_limit" integer;--> statement-breakpoint
CREATE INDEX "api_keys_with_limit" ON "api_keys" USING btree ("id") WHERE "api_keys"."request_limit" is not null and "api_keys"."revoked_at" is null;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_request_limit" CHECK ("api_keys"."request_limit" > 0);
