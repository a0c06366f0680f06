import { databaseFunction } from '../db/statements.js';

/** Books postings; gives the keys that were not booked before. */
export const ledgerPost = databaseFunction('ledger_post', { keys: 'text[]', entries: 'ledger_entry[]' });

/** Adds rows of `ledger_totals` up, at most that many. */
export const ledgerTotalsFold = databaseFunction('ledger_totals_fold', { rows: 'integer' });

/** Lamports that were credited from an origin and not paid yet. */
export const creditsOwed = databaseFunction('credits_owed', { origin: 'text' });
