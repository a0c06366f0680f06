-- What could not be done yet, and when it is tried again.
COMMENT ON TABLE tasks IS 'A row for each subject that waits; none for what was done, or was never tried.';
COMMENT ON COLUMN tasks.subject IS 'A token''s address, `referrals`, or an endpoint and an event of webhooks.';
COMMENT ON COLUMN tasks.attempts IS 'Failed attempts in a row; 0 when it waits for an operator.';
COMMENT ON COLUMN tasks.problem IS 'Why it waits; null after an attempt that succeeded, until the index shows it.';
