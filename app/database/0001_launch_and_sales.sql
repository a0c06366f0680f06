ALTER TABLE market_tokens ADD COLUMN launch_slot_bought numeric(39,0) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE position_rows ADD COLUMN sold numeric(39,0) DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE market_tokens m SET launch_slot_bought = f.bought FROM (
  SELECT r.mint, sum(t.token_amount) AS bought
  FROM other_records r JOIN addresses a ON a.address = r.mint JOIN trade_rows t ON t.mint_id = a.id AND t.slot = r.slot
  WHERE r.kind = 'create' AND t.is_buy AND NOT t.in_pool GROUP BY r.mint
) f WHERE m.mint = f.mint;--> statement-breakpoint
UPDATE position_rows p SET sold = f.sold FROM (
  SELECT trader_id, mint_id, sum(token_amount) AS sold FROM trade_rows WHERE NOT is_buy GROUP BY trader_id, mint_id
) f WHERE p.wallet_id = f.trader_id AND p.mint_id = f.mint_id
