ALTER TABLE indexer_state ADD COLUMN waiting_slots integer NOT NULL DEFAULT 0;
