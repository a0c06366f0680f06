CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"token" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"session_pid" integer NOT NULL,
	"session_start" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_totals" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"asset" text NOT NULL,
	"origin" text NOT NULL,
	"kind" text NOT NULL,
	"amount" numeric(39, 0) NOT NULL
);
--> statement-breakpoint
-- All rewards so far count as settlements'; below, those of referrals are moved to accounts of their own.
ALTER TABLE "ledger_accounts" ADD COLUMN "origin" text NOT NULL DEFAULT 'settlement';
--> statement-breakpoint
ALTER TABLE "ledger_accounts" DISABLE TRIGGER "ledger_accounts_guard";
--> statement-breakpoint
UPDATE "ledger_accounts" SET "origin" = 'referral' WHERE "kind" = 'referral';
--> statement-breakpoint
ALTER TABLE "ledger_accounts" ENABLE TRIGGER "ledger_accounts_guard";
--> statement-breakpoint
ALTER TABLE "ledger_accounts" ALTER COLUMN "origin" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "ledger_accounts" DROP CONSTRAINT "ledger_accounts_once";
--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_once" UNIQUE NULLS NOT DISTINCT("owner","mint","asset","kind","origin");
--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_origin" CHECK ("ledger_accounts"."origin" in ('referral', 'settlement') and ("ledger_accounts"."owner" is not null or "ledger_accounts"."kind" = "ledger_accounts"."origin"));
--> statement-breakpoint

-- A wallet's rewards of referrals become accounts of their own: as much as was credited, from what is claimable, then from
-- what was claimed, then from what a claim in progress has reserved. Written past the rule that a posting sums to zero for
-- each origin, which begins below; for each token and asset it does.
DO $$
DECLARE
  held record;
  part record;
  credited numeric;
  moved numeric;
  posting bigint;
  target bigint;
BEGIN
  FOR held IN
    SELECT a.owner, a.mint, a.asset, sum(e.amount) AS amount
    FROM ledger_entries e
      JOIN ledger_accounts a ON a.id = e.account_id AND a.kind = 'claimable'
      JOIN ledger_entries s ON s.posting_id = e.posting_id
      JOIN ledger_accounts f ON f.id = s.account_id AND f.kind = 'referral' AND f.mint = a.mint AND f.asset = a.asset
    GROUP BY a.owner, a.mint, a.asset
  LOOP
    credited := held.amount;
    INSERT INTO ledger_postings (key) VALUES (format('origin:%s:%s:%s', held.owner, held.mint, held.asset))
      RETURNING id INTO posting;
    FOR part IN
      SELECT id, kind, balance FROM ledger_accounts
      WHERE owner = held.owner AND mint = held.mint AND asset = held.asset AND origin = 'settlement' AND balance > 0
      ORDER BY array_position(ARRAY['claimable', 'claimed', 'reserved'], kind)
    LOOP
      moved := least(credited, part.balance);
      EXIT WHEN moved = 0;
      INSERT INTO ledger_accounts (kind, owner, mint, asset, origin)
        VALUES (part.kind, held.owner, held.mint, held.asset, 'referral') RETURNING id INTO target;
      INSERT INTO ledger_entries (posting_id, account_id, amount) VALUES (posting, part.id, -moved), (posting, target, moved);
      credited := credited - moved;
    END LOOP;
  END LOOP;
END $$;
--> statement-breakpoint

-- As before, with the origin; and the totals follow too.
CREATE OR REPLACE FUNCTION ledger_apply_entries() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT 1 FROM new_entries e JOIN ledger_accounts a ON a.id = e.account_id
    GROUP BY e.posting_id, a.mint, a.asset, a.origin HAVING sum(e.amount) <> 0
  ) THEN
    RAISE EXCEPTION 'the entries of a posting must sum to zero for each token, asset and origin'
      USING ERRCODE = 'check_violation';
  END IF;
  -- In one order, so that two postings to the same accounts wait for each other instead of deadlocking.
  PERFORM 1 FROM ledger_accounts WHERE id IN (SELECT account_id FROM new_entries) ORDER BY id FOR NO KEY UPDATE;
  UPDATE ledger_accounts a SET balance = a.balance + d.amount
  FROM (SELECT account_id, sum(amount) AS amount FROM new_entries GROUP BY account_id) d
  WHERE a.id = d.account_id;
  INSERT INTO ledger_totals (asset, origin, kind, amount)
  SELECT a.asset, a.origin, a.kind, sum(e.amount) FROM new_entries e JOIN ledger_accounts a ON a.id = e.account_id
  GROUP BY a.asset, a.origin, a.kind;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION ledger_guard_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.balance <> 0 THEN
      RAISE EXCEPTION 'a ledger account begins with nothing' USING ERRCODE = 'restrict_violation';
    END IF;
  ELSIF pg_trigger_depth() < 2
    OR (NEW.id, NEW.kind, NEW.mint, NEW.asset, NEW.origin)
      IS DISTINCT FROM (OLD.id, OLD.kind, OLD.mint, OLD.asset, OLD.origin)
    OR NEW.owner IS DISTINCT FROM OLD.owner
  THEN
    RAISE EXCEPTION 'a ledger account changes only by entries' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
INSERT INTO ledger_totals (asset, origin, kind, amount)
SELECT asset, origin, kind, sum(balance) FROM ledger_accounts GROUP BY asset, origin, kind;
