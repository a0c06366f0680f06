ALTER TABLE curve_states
  SET (fillfactor = 70),
  ADD COLUMN is_waiting boolean NOT NULL
    GENERATED ALWAYS AS (status = 2 OR status = 1 AND virtual_token <= 280000100000000) STORED;--> statement-breakpoint
DROP INDEX curve_states_waiting;--> statement-breakpoint
CREATE INDEX curve_states_waiting ON curve_states (mint) WHERE is_waiting;--> statement-breakpoint
ALTER TABLE partner_users SET (fillfactor = 70);
