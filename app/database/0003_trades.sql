CREATE TABLE "unfinalized" (
	"id" bigint PRIMARY KEY NOT NULL,
	"venue" text NOT NULL
);
--> statement-breakpoint
INSERT INTO "unfinalized" SELECT "id", 'curve' FROM "records" WHERE NOT "finalized" UNION ALL SELECT "id", 'pool' FROM "pool_trades" WHERE NOT "finalized";
--> statement-breakpoint
ALTER TABLE "trades" RENAME TO "curve_trades";--> statement-breakpoint
ALTER TABLE "curve_trades" DROP CONSTRAINT "trades_pkey";--> statement-breakpoint
DROP INDEX "trades_of_mint";--> statement-breakpoint
DROP INDEX "trades_of_trader";--> statement-breakpoint
CREATE TABLE "trades" (
	"id" bigint NOT NULL,
	"venue" text NOT NULL,
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
	"graduated" boolean NOT NULL,
	"timestamp" bigint NOT NULL
);
--> statement-breakpoint
INSERT INTO "trades"
	SELECT r."id", 'curve', r."signature", r."outer", r."inner", r."slot", t."mint", t."trader", t."is_buy", t."sol_amount", t."token_amount",
		t."fee", t."virtual_sol", t."virtual_token", t."graduated", t."timestamp"
	FROM "curve_trades" t JOIN "records" r ON r."id" = t."record_id"
	UNION ALL
	SELECT "id", 'pool', "signature", "outer", "inner", "slot", "mint", "trader", "is_buy", "sol_amount", "token_amount",
		"fee", "virtual_sol", "virtual_token", false, "timestamp"
	FROM "pool_trades"
	ORDER BY 1;
--> statement-breakpoint
DROP TABLE "curve_trades";--> statement-breakpoint
DROP TABLE "pool_trades";--> statement-breakpoint
ALTER TABLE "trades" ADD CONSTRAINT "trades_pkey" PRIMARY KEY ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "trades_once" ON "trades" USING btree ("signature","outer","inner");--> statement-breakpoint
CREATE INDEX "trades_of_mint" ON "trades" USING btree ("mint","id");--> statement-breakpoint
CREATE INDEX "trades_of_trader" ON "trades" USING btree ("trader","id");--> statement-breakpoint
CREATE TABLE "other_records" (
	"id" bigint PRIMARY KEY DEFAULT nextval('records_id_seq') NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"outer" smallint NOT NULL,
	"inner" smallint NOT NULL,
	"slot" bigint NOT NULL,
	"kind" text NOT NULL,
	"mint" text COLLATE "C",
	"raw" text
);
--> statement-breakpoint
INSERT INTO "other_records" SELECT "id", "signature", "outer", "inner", "slot", "kind", "mint", "raw" FROM "records" WHERE "kind" <> 'trade' ORDER BY "id";
--> statement-breakpoint
CREATE UNIQUE INDEX "other_records_once" ON "other_records" USING btree ("signature","outer","inner");--> statement-breakpoint
ALTER SEQUENCE "records_id_seq" OWNED BY "other_records"."id";--> statement-breakpoint
ALTER TABLE "curve_migrations" DROP CONSTRAINT "curve_migrations_record_id_records_id_fk";--> statement-breakpoint
ALTER TABLE "graduations" DROP CONSTRAINT "graduations_record_id_records_id_fk";--> statement-breakpoint
ALTER TABLE "tokens" DROP CONSTRAINT "tokens_record_id_records_id_fk";--> statement-breakpoint
ALTER TABLE "pending_rewards" DROP CONSTRAINT "pending_rewards_record_id_records_id_fk";--> statement-breakpoint
DROP TABLE "records";--> statement-breakpoint
ALTER TABLE "curve_migrations" ADD CONSTRAINT "curve_migrations_record_id_other_records_id_fk" FOREIGN KEY ("record_id") REFERENCES "other_records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "graduations" ADD CONSTRAINT "graduations_record_id_other_records_id_fk" FOREIGN KEY ("record_id") REFERENCES "other_records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_record_id_other_records_id_fk" FOREIGN KEY ("record_id") REFERENCES "other_records"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE VIEW "records" AS (
  select id, signature, "outer", "inner", slot, kind, mint,
    not exists (select 1 from unfinalized u where u.id = r.id) as finalized, raw from other_records r
  union all select id, signature, "outer", "inner", slot, 'trade'::text, mint,
    not exists (select 1 from unfinalized u where u.id = t.id), null::text from trades t where venue = 'curve');
