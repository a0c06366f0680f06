CREATE TABLE "payments_gate" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"incarnation" text,
	"reconciled_at" timestamp with time zone,
	"reconciled_slot" bigint,
	"held" text,
	"waiting_incarnation" text,
	"waiting_height" bigint,
	"progress" text,
	CONSTRAINT "payments_gate_single" CHECK ("payments_gate"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "payment_watches" (
	"address" text COLLATE "C" PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"signature" text COLLATE "C",
	"slot" bigint,
	CONSTRAINT "payment_watches_role" CHECK ("payment_watches"."role" in ('treasury', 'dex owner'))
);
--> statement-breakpoint
CREATE TABLE "payment_findings" (
	"signature" text COLLATE "C" PRIMARY KEY NOT NULL,
	"slot" bigint NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"detail" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_findings_kind" CHECK ("payment_findings"."kind" in ('claim', 'settlement', 'funding', 'other')),
	CONSTRAINT "payment_findings_state" CHECK ("payment_findings"."state" in ('open', 'booked', 'accepted', 'other'))
);
--> statement-breakpoint
CREATE INDEX "payment_findings_open" ON "payment_findings" USING btree ("slot") WHERE "payment_findings"."state" = 'open';
--> statement-breakpoint
CREATE TABLE "recovered_settlements" (
	"settlement_id" bigint PRIMARY KEY NOT NULL,
	"mint" text COLLATE "C" NOT NULL,
	"slot" bigint NOT NULL,
	"sol" numeric(20, 0) NOT NULL,
	"token" numeric(20, 0) NOT NULL,
	"sol_left" numeric(20, 0) NOT NULL,
	"token_left" numeric(20, 0) NOT NULL,
	CONSTRAINT "recovered_settlements_sol" CHECK ("recovered_settlements"."sol_left" between 0 and "recovered_settlements"."sol"),
	CONSTRAINT "recovered_settlements_token" CHECK ("recovered_settlements"."token_left" between 0 and "recovered_settlements"."token")
);
--> statement-breakpoint
CREATE TABLE "recovered_payments" (
	"settlement_id" bigint NOT NULL,
	"signature" text COLLATE "C" NOT NULL,
	"wallet" text COLLATE "C" NOT NULL,
	"sol" numeric(20, 0) NOT NULL,
	"token" numeric(20, 0) NOT NULL,
	CONSTRAINT "recovered_payments_settlement_id_signature_pk" PRIMARY KEY("settlement_id","signature")
);
--> statement-breakpoint
ALTER TABLE "recovered_settlements" ADD CONSTRAINT "recovered_settlements_settlement_id_settlements_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."settlements"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "recovered_payments" ADD CONSTRAINT "recovered_payments_settlement_id_recovered_settlements_settlement_id_fk" FOREIGN KEY ("settlement_id") REFERENCES "public"."recovered_settlements"("settlement_id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "recovered_settlements_left" ON "recovered_settlements" USING btree ("mint","settlement_id") WHERE "recovered_settlements"."sol_left" > 0 or "recovered_settlements"."token_left" > 0;
--> statement-breakpoint

-- Changes whenever this may be another database than before: a restart, a promoted standby and a copied folder have another
-- start of the server, a dump restored into the same server another database or other files.
CREATE FUNCTION database_incarnation() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws(':', extract(epoch from pg_postmaster_start_time()),
    (SELECT oid FROM pg_database WHERE datname = current_database()), pg_relation_filenode('claims'::regclass))
$$;
--> statement-breakpoint

-- Null when payments may be made; else why not, in one line. A process that pays asks in the statement that stores the payment.
CREATE FUNCTION payments_held() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN gate.incarnation IS DISTINCT FROM database_incarnation() THEN
      'closed until the payments on chain are reconciled with this database, which was started or restored: '
        || coalesce(gate.progress, 'waiting for an instance of the service to begin')
    WHEN gate.held IS NOT NULL THEN gate.held
    WHEN gate.reconciled_at IS NULL OR gate.reconciled_at < now() - interval '120 seconds' THEN
      'closed: the payments on chain were last reconciled at ' || coalesce(
        to_char(gate.reconciled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC', 'no time')
        || coalesce(' (' || gate.progress || ')', '') || '; check that the service runs and its RPC_URL answers'
  END
  FROM (SELECT 1) AS one LEFT JOIN payments_gate AS gate ON gate.id = 1
$$;
