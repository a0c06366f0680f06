ALTER TABLE market_state ADD COLUMN pools_slot bigint;--> statement-breakpoint
CREATE INDEX trades_of_pool_slot ON trade_rows (slot, id) WHERE in_pool;--> statement-breakpoint
DROP INDEX other_records_of_slot;--> statement-breakpoint
CREATE INDEX other_records_of_slot ON other_records (slot, id) WHERE kind IN ('create', 'migrate', 'graduate');
