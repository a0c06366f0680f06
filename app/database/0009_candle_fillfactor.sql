ALTER TABLE candle_hours SET (fillfactor = 80);--> statement-breakpoint
ALTER TABLE candle_days SET (fillfactor = 80);
