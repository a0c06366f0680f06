CREATE TABLE webhook_endpoints (
  id text COLLATE "C" PRIMARY KEY,
  partner_id bigint NOT NULL,
  url text NOT NULL,
  types text[],
  cursor bigint NOT NULL,
  replay_from bigint,
  started_at timestamptz NOT NULL,
  disabled_at timestamptz,
  created_at timestamptz DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE INDEX webhook_endpoints_of_partner ON webhook_endpoints (partner_id);--> statement-breakpoint
CREATE TABLE webhook_secrets (
  endpoint_id text COLLATE "C" NOT NULL CONSTRAINT webhook_secrets_endpoint REFERENCES webhook_endpoints ON DELETE CASCADE,
  secret text NOT NULL,
  expires_at timestamptz,
  CONSTRAINT webhook_secrets_pkey PRIMARY KEY (endpoint_id, secret)
);--> statement-breakpoint
CREATE TABLE webhook_events (
  number bigserial PRIMARY KEY,
  position bigint,
  id text COLLATE "C" NOT NULL CONSTRAINT webhook_events_id UNIQUE,
  partner_id bigint NOT NULL,
  endpoint_id text COLLATE "C" CONSTRAINT webhook_events_endpoint REFERENCES webhook_endpoints ON DELETE CASCADE,
  type text NOT NULL,
  subject text COLLATE "C" NOT NULL,
  data text NOT NULL,
  at timestamptz DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE INDEX webhook_events_new ON webhook_events (number) WHERE position IS NULL;--> statement-breakpoint
CREATE INDEX webhook_events_position ON webhook_events (position);--> statement-breakpoint
CREATE INDEX webhook_events_page ON webhook_events (partner_id, position);--> statement-breakpoint
CREATE INDEX webhook_events_of_subject ON webhook_events (partner_id, subject, position);--> statement-breakpoint
CREATE INDEX webhook_events_at ON webhook_events (at);--> statement-breakpoint
CREATE INDEX webhook_events_of_endpoint ON webhook_events (endpoint_id) WHERE endpoint_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE webhook_dead_letters (
  endpoint_id text COLLATE "C" NOT NULL CONSTRAINT webhook_dead_letters_endpoint REFERENCES webhook_endpoints ON DELETE CASCADE,
  event_id text COLLATE "C" NOT NULL CONSTRAINT webhook_dead_letters_event REFERENCES webhook_events (id) ON DELETE CASCADE,
  problem text NOT NULL,
  died_at timestamptz NOT NULL,
  CONSTRAINT webhook_dead_letters_pkey PRIMARY KEY (endpoint_id, event_id)
);--> statement-breakpoint
CREATE INDEX webhook_dead_letters_of_event ON webhook_dead_letters (event_id);--> statement-breakpoint
ALTER TABLE tasks DROP CONSTRAINT tasks_kind, ADD CONSTRAINT tasks_kind
  CHECK (kind IN ('funding', 'graduation', 'metadata', 'pool', 'settlement', 'webhook'));--> statement-breakpoint
ALTER TABLE api_keys DROP CONSTRAINT api_keys_scopes, ADD CONSTRAINT api_keys_scopes
  CHECK (scopes <@ ARRAY['users:write', 'users:read', 'stats:read', 'webhooks:write', 'webhooks:read'])
