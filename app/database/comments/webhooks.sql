-- Events for the servers of partners and of the operator, and where they are sent.
COMMENT ON TABLE webhook_endpoints IS 'Servers that events are sent to.';
COMMENT ON COLUMN webhook_endpoints.partner_id IS 'The partner whose events it gets; 0 for the operator''s.';
COMMENT ON COLUMN webhook_endpoints.types IS 'The types of events that it gets; null for all.';
COMMENT ON COLUMN webhook_endpoints.cursor IS 'Events up to this position were delivered, are dead letters, or wait in `tasks`, alone or behind an event of their subject. Only the job that sends moves it.';
COMMENT ON COLUMN webhook_endpoints.replay_from IS 'A replay that was asked for: the position to send from. The job that sends takes it over.';
COMMENT ON COLUMN webhook_endpoints.started_at IS 'When it was added or replayed last. Each event is tried for a day from then on at least.';
COMMENT ON COLUMN webhook_endpoints.disabled_at IS 'When it answered 410. A replay enables it.';
COMMENT ON TABLE webhook_secrets IS 'Secrets that sign. An endpoint has two while one replaces the other.';
COMMENT ON COLUMN webhook_secrets.expires_at IS 'Null for the newest secret.';
COMMENT ON TABLE webhook_events IS 'Outbox: written in the transaction that makes the event true, and kept for seven days.';
COMMENT ON COLUMN webhook_events.number IS 'In the order of insertion.';
COMMENT ON COLUMN webhook_events.position IS 'In the order of commits. The job that sends numbers the rows; null until then.';
COMMENT ON COLUMN webhook_events.id IS 'The `webhook-id`: a hash of what happened, so that a reindex or a restored database tells nothing twice.';
COMMENT ON COLUMN webhook_events.partner_id IS 'As that of endpoints.';
COMMENT ON COLUMN webhook_events.endpoint_id IS 'The only endpoint that gets it: of a test.';
COMMENT ON COLUMN webhook_events.subject IS 'The wallet, claim or token. Events of one subject arrive in order.';
COMMENT ON COLUMN webhook_events.data IS 'JSON, as sent.';
COMMENT ON TABLE webhook_dead_letters IS 'Events that an endpoint did not take within a day. A replay sends them again.';
