CREATE TABLE "tasks" (
	"kind" text NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"attempts" integer NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"problem" text,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tasks_kind_subject_pk" PRIMARY KEY("kind","subject"),
	CONSTRAINT "tasks_kind" CHECK ("tasks"."kind" in ('funding', 'graduation', 'metadata', 'pool', 'settlement'))
);
--> statement-breakpoint
-- What waits already goes on waiting.
INSERT INTO "tasks" ("kind", "subject", "attempts", "due_at", "problem", "since")
SELECT 'metadata', "mint", "failures", "retry_at", coalesce("problem", "picture_problem", 'it names no picture'), "fetched_at"
FROM "token_metadata" WHERE "retry_at" IS NOT NULL;
--> statement-breakpoint
INSERT INTO "tasks" ("kind", "subject", "attempts", "due_at", "problem", "since")
SELECT 'settlement', "mint", 0, now(), "problem", "since" FROM "settlement_waiting";
--> statement-breakpoint
ALTER TABLE "settlement_waiting" DISABLE ROW LEVEL SECURITY;--> statement-breakpoint
DROP TABLE "settlement_waiting" CASCADE;--> statement-breakpoint
DROP INDEX "token_metadata_retry";--> statement-breakpoint
CREATE INDEX "tasks_due" ON "tasks" USING btree ("kind","due_at");--> statement-breakpoint
ALTER TABLE "token_metadata" DROP COLUMN "failures";--> statement-breakpoint
ALTER TABLE "token_metadata" DROP COLUMN "retry_at";