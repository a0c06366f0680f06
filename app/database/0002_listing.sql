-- Bookings wait while the trades are read.
CREATE INDEX trades_of_slot ON trade_rows (slot, id) WHERE NOT in_pool;--> statement-breakpoint
CREATE INDEX other_records_of_slot ON other_records (slot, id) WHERE kind IN ('create', 'migrate');--> statement-breakpoint
CREATE INDEX tokens_of_curve ON tokens (curve);--> statement-breakpoint
CREATE INDEX tokens_created ON tokens (created_at)
