// Made by `npm run db:schema -w app` from a migrated database; a test compares it. Change the SQL in app/database.
// Without drizzle, so that the command line's help starts fast.
export const API_KEYS_SCOPES = [
  'users:write',
  'users:read',
  'stats:read',
  'webhooks:write',
  'webhooks:read',
] as const;
export const AUTHORITY_TRANSACTIONS_STATE = ['signed', 'finalized', 'failed', 'expired'] as const;
export const CLAIMS_ASSET = ['SOL', 'TOKEN'] as const;
export const CLAIMS_STATE = ['IN_PROGRESS', 'COMPLETED', 'FAILED', 'EXPIRED'] as const;
export const FEE_SHARES_KIND = ['creator', 'split', 'traders'] as const;
export const LEDGER_ACCOUNTS_KIND = [
  'claimable',
  'reserved',
  'claimed',
  'referral',
  'settlement',
  'volume',
] as const;
export const LEDGER_ACCOUNTS_ASSET = ['SOL', 'TOKEN'] as const;
export const LEDGER_ACCOUNTS_ORIGIN = ['referral', 'settlement', 'volume'] as const;
export const LEDGER_TOTALS_ASSET = ['SOL', 'TOKEN'] as const;
export const LEDGER_TOTALS_ORIGIN = ['referral', 'settlement', 'volume'] as const;
export const LEDGER_TOTALS_KIND = [
  'claimable',
  'reserved',
  'claimed',
  'referral',
  'settlement',
  'volume',
] as const;
export const MARKET_EVENTS_TYPE = [
  'token',
  'trade',
  'update',
  'graduated',
  'migrated',
  'metadata',
  'dropped',
  'reset',
] as const;
export const OTHER_RECORDS_KIND = ['create', 'migrate', 'graduate', 'unknown'] as const;
export const PAYMENT_FINDINGS_KIND = ['claim', 'settlement', 'funding', 'other'] as const;
export const PAYMENT_FINDINGS_STATE = ['open', 'booked', 'accepted', 'other', 'unreadable'] as const;
export const PAYMENT_WATCHES_ROLE = ['treasury', 'dex owner'] as const;
export const PENDING_REWARDS_ASSET = ['SOL', 'TOKEN'] as const;
export const PENDING_REWARDS_ORIGIN = ['referral', 'volume'] as const;
export const SETTLEMENTS_STATE = ['sampling', 'planned', 'paid', 'done', 'failed', 'abandoned'] as const;
export const STORED_FILES_KIND = ['picture', 'document'] as const;
export const TASKS_KIND = ['funding', 'graduation', 'metadata', 'pool', 'settlement', 'webhook'] as const;
export const TREASURY_FUNDINGS_ORIGIN = ['referral'] as const;
export const UNFINALIZED_VENUE = ['curve', 'pool'] as const;
export const CLAIM_REFUSAL = [
  'held',
  'key taken',
  'in progress',
  'other amount',
  'stale balance',
  'short of tokens',
  'short of SOL',
  'short of SOL for the network',
  'referral not funded',
] as const;
