ALTER TABLE api_keys ADD CONSTRAINT api_keys_scopes CHECK (scopes <@ ARRAY['users:write', 'users:read', 'stats:read']);--> statement-breakpoint
ALTER TABLE claims ADD CONSTRAINT claims_asset CHECK (asset IN ('SOL', 'TOKEN'));--> statement-breakpoint
ALTER TABLE ledger_accounts
  DROP CONSTRAINT ledger_accounts_origin,
  ADD CONSTRAINT ledger_accounts_origin CHECK (origin IN ('referral', 'settlement')),
  ADD CONSTRAINT ledger_accounts_source CHECK (owner IS NOT NULL OR kind = origin);--> statement-breakpoint
ALTER TABLE ledger_totals
  ADD CONSTRAINT ledger_totals_asset CHECK (asset IN ('SOL', 'TOKEN')),
  ADD CONSTRAINT ledger_totals_kind CHECK (kind IN ('claimable', 'reserved', 'claimed', 'referral', 'settlement')),
  ADD CONSTRAINT ledger_totals_origin CHECK (origin IN ('referral', 'settlement'));--> statement-breakpoint
ALTER TABLE market_events ADD CONSTRAINT market_events_type
  CHECK (type IN ('token', 'trade', 'update', 'graduated', 'migrated', 'metadata', 'dropped', 'reset'));--> statement-breakpoint
ALTER TABLE other_records ADD CONSTRAINT other_records_kind CHECK (kind IN ('create', 'migrate', 'graduate', 'unknown'));--> statement-breakpoint
ALTER TABLE pending_rewards ADD CONSTRAINT pending_rewards_asset CHECK (asset IN ('SOL', 'TOKEN'));--> statement-breakpoint
ALTER TABLE stored_files ADD CONSTRAINT stored_files_kind CHECK (kind IN ('picture', 'document'));--> statement-breakpoint
ALTER TABLE trades ADD CONSTRAINT trades_venue CHECK (venue IN ('curve', 'pool'));--> statement-breakpoint
ALTER TABLE unfinalized ADD CONSTRAINT unfinalized_venue CHECK (venue IN ('curve', 'pool'));
