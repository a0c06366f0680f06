DROP VIEW records;--> statement-breakpoint
DROP VIEW trades;--> statement-breakpoint
ALTER TABLE trade_rows DROP CONSTRAINT trade_rows_venue;--> statement-breakpoint
-- Writes all trades again: a minute for some millions of them.
ALTER TABLE trade_rows ALTER venue TYPE boolean USING venue = 'pool';--> statement-breakpoint
ALTER TABLE trade_rows RENAME venue TO in_pool;--> statement-breakpoint
CREATE VIEW trades AS SELECT t.id, CASE WHEN t.in_pool THEN 'pool' ELSE 'curve' END AS venue, t.signature, t."outer", t."inner", t.slot, (
    SELECT address FROM addresses WHERE addresses.id = t.mint_id
  ) AS mint, (
    SELECT address FROM addresses WHERE addresses.id = t.trader_id
  ) AS trader, t.is_buy, t.sol_amount, t.token_amount, t.fee, t.virtual_sol, t.virtual_token, t.graduated, t."timestamp",
  t.mint_id, t.trader_id FROM trade_rows t;--> statement-breakpoint
CREATE VIEW records AS
  SELECT id, signature, "outer", "inner", slot, kind, mint,
    NOT EXISTS (SELECT 1 FROM unfinalized u WHERE u.id = r.id) AS finalized, raw FROM other_records r
  UNION ALL SELECT id, signature, "outer", "inner", slot, 'trade'::text, mint,
    NOT EXISTS (SELECT 1 FROM unfinalized u WHERE u.id = t.id), null::text FROM trades t WHERE venue = 'curve';--> statement-breakpoint
ALTER TABLE idempotency_keys DROP COLUMN status_code;
