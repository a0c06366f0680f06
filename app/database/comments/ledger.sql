-- The ledger: append-only, double entry. Triggers in `ledger/sql` enforce its rules for every code path:
-- entries never change, each posting sums to zero, and balances follow from the entries.
COMMENT ON TABLE ledger_accounts IS 'One account per kind, wallet, token, asset and origin. Rewards of two origins never mix, because each origin is paid from its own money in the treasury.';
COMMENT ON COLUMN ledger_accounts.owner IS 'The wallet; null for a source.';
COMMENT ON COLUMN ledger_accounts.origin IS 'The source kind that the rewards came from. For a source, its own kind.';
COMMENT ON COLUMN ledger_accounts.balance IS 'Sum of the account''s entries, updated by a trigger.';
COMMENT ON TABLE ledger_postings IS 'One event that moved rewards. The key makes a repeated event harmless.';
COMMENT ON TABLE ledger_entries IS 'The movements of a posting: positive into the account, negative out of it.';
COMMENT ON TABLE ledger_totals IS 'Totals of all accounts per asset, origin and kind, updated by a trigger: the total is the sum of the rows. Each statement adds its own rows, so that postings do not wait for each other here. A job merges old rows (`foldTotals`).';
