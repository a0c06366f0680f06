-- Leases of instances: see `db/lease.ts`.
COMMENT ON TABLE leases IS 'Leases: each has one holder at a time.';
COMMENT ON COLUMN leases.holder IS 'The instance that holds the lease.';
COMMENT ON COLUMN leases.token IS 'Grows with each new holder. Writes with an old token are refused.';
COMMENT ON COLUMN leases.session_pid IS 'The holder''s database session. When the session ends, the lease ends too.';
