DROP VIEW records;--> statement-breakpoint
DROP VIEW trades;--> statement-breakpoint
ALTER TABLE trade_rows RENAME TO trade_rows_0;--> statement-breakpoint
ALTER INDEX trade_rows_pkey RENAME TO trade_rows_0_pkey;--> statement-breakpoint
ALTER INDEX trades_of_mint RENAME TO trade_rows_0_mint_id_id_idx;--> statement-breakpoint
ALTER INDEX trades_of_trader RENAME TO trade_rows_0_trader_id_id_idx;--> statement-breakpoint
ALTER INDEX trades_once RENAME TO trade_rows_0_once;--> statement-breakpoint
CREATE TABLE trade_rows (LIKE trade_rows_0 INCLUDING CONSTRAINTS) PARTITION BY RANGE (id);--> statement-breakpoint
ALTER TABLE trade_rows ADD PRIMARY KEY (id);--> statement-breakpoint
CREATE INDEX trades_of_mint ON trade_rows (mint_id, id);--> statement-breakpoint
CREATE INDEX trades_of_trader ON trade_rows (trader_id, id);--> statement-breakpoint
-- The trades so far are one partition, however many there are, so that nothing is written again.
DO $$ BEGIN
  EXECUTE format('ALTER TABLE trade_rows ATTACH PARTITION trade_rows_0 FOR VALUES FROM (0) TO (%s)',
    10000000 * (1 + (SELECT last_value / 10000000 FROM records_id_seq)));
END $$;--> statement-breakpoint
CREATE VIEW trades AS SELECT t.id, t.venue, t.signature, t."outer", t."inner", t.slot, (
    SELECT address FROM addresses WHERE addresses.id = t.mint_id
  ) AS mint, (
    SELECT address FROM addresses WHERE addresses.id = t.trader_id
  ) AS trader, t.is_buy, t.sol_amount, t.token_amount, t.fee, t.virtual_sol, t.virtual_token, t.graduated, t."timestamp",
  t.mint_id, t.trader_id FROM trade_rows t;--> statement-breakpoint
CREATE VIEW records AS
  SELECT id, signature, "outer", "inner", slot, kind, mint,
    NOT EXISTS (SELECT 1 FROM unfinalized u WHERE u.id = r.id) AS finalized, raw FROM other_records r
  UNION ALL SELECT id, signature, "outer", "inner", slot, 'trade'::text, mint,
    NOT EXISTS (SELECT 1 FROM unfinalized u WHERE u.id = t.id), null::text FROM trades t WHERE venue = 'curve';
