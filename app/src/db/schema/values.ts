// The values that columns allow, by the names that the code uses. Without drizzle, so that the command line's help starts fast.
import type { TASKS_KIND } from './generated/values.js';

export {
  API_KEYS_SCOPES as SCOPES,
  AUTHORITY_TRANSACTIONS_STATE as TRANSACTION_STATES,
  CLAIM_REFUSAL as CLAIM_REFUSALS,
  CLAIMS_STATE as CLAIM_STATES,
  LEDGER_ACCOUNTS_ASSET as ASSETS,
  LEDGER_ACCOUNTS_KIND as LEDGER_KINDS,
  LEDGER_ACCOUNTS_ORIGIN as SOURCE_KINDS,
  PAYMENT_FINDINGS_KIND as FINDING_KINDS,
  PAYMENT_FINDINGS_STATE as FINDING_STATES,
  PAYMENT_WATCHES_ROLE as WATCH_ROLES,
  SETTLEMENTS_STATE as SETTLEMENT_STATES,
  TASKS_KIND as TASK_KINDS,
} from './generated/values.js';

/** Kinds of work that is tried again later. */
export type TaskKind = (typeof TASKS_KIND)[number];
