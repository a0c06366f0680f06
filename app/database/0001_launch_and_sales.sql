-- Bookings wait from here on. Readers wait only from ALTER TABLE on, when the long reading of the trades is over.
LOCK TABLE market_tokens, position_rows IN SHARE MODE;--> statement-breakpoint
CREATE TABLE sold_before AS
  SELECT trader_id, mint_id, sum(token_amount) AS sold FROM trade_rows WHERE NOT is_buy GROUP BY trader_id, mint_id;--> statement-breakpoint
CREATE TABLE bought_before AS
  SELECT r.mint, sum(t.token_amount) AS bought
  FROM other_records r JOIN addresses a ON a.address = r.mint JOIN trade_rows t ON t.mint_id = a.id AND t.slot = r.slot
  WHERE r.kind = 'create' AND t.is_buy AND NOT t.in_pool GROUP BY r.mint;--> statement-breakpoint
ALTER TABLE market_tokens ADD COLUMN launch_slot_bought numeric(39,0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE position_rows ADD COLUMN sold numeric(39,0) DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE market_tokens m SET launch_slot_bought = b.bought FROM bought_before b WHERE m.mint = b.mint;--> statement-breakpoint
UPDATE position_rows p SET sold = s.sold FROM sold_before s WHERE p.wallet_id = s.trader_id AND p.mint_id = s.mint_id;--> statement-breakpoint
DROP TABLE sold_before, bought_before
