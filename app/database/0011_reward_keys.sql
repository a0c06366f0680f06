CREATE TABLE referral_reward_rows (
  partner_id bigint NOT NULL CONSTRAINT referral_reward_rows_partner REFERENCES partners (id),
  user_id integer NOT NULL,
  mint_id integer NOT NULL,
  share_bps integer NOT NULL,
  "outer" smallint NOT NULL,
  "inner" smallint NOT NULL,
  signature text COLLATE "C" NOT NULL,
  fee numeric(20, 0) NOT NULL,
  reward numeric(20, 0) NOT NULL
);--> statement-breakpoint
INSERT INTO addresses (address)
  SELECT "user" FROM referral_rewards UNION SELECT mint FROM referral_rewards ON CONFLICT DO NOTHING;--> statement-breakpoint
INSERT INTO referral_reward_rows
  SELECT r.partner_id, u.id, m.id, r.share_bps, r."outer", r."inner", r.signature, r.fee, r.reward
  FROM referral_rewards r JOIN addresses u ON u.address = r."user" JOIN addresses m ON m.address = r.mint;--> statement-breakpoint
DROP TABLE referral_rewards;--> statement-breakpoint
CREATE UNIQUE INDEX referral_rewards_once ON referral_reward_rows (substr(sha256(signature::bytea), 1, 16), "outer", "inner");--> statement-breakpoint
CREATE INDEX referral_rewards_of_partner ON referral_reward_rows (partner_id);--> statement-breakpoint
CREATE VIEW referral_rewards AS SELECT r.signature, r."outer", r."inner", r.partner_id, (
    SELECT address FROM addresses WHERE addresses.id = r.user_id
  ) AS "user", (
    SELECT payout_wallet FROM partners WHERE partners.id = r.partner_id
  ) AS payout_wallet, (
    SELECT address FROM addresses WHERE addresses.id = r.mint_id
  ) AS mint, r.fee, r.share_bps, r.reward FROM referral_reward_rows r;
