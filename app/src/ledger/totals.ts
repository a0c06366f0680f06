// Totals of all accounts, updated with each posting, so that no query reads every account.
import { sql } from 'drizzle-orm';
import type { Transaction } from '../db/database.js';
import { ledgerTotalsFold } from './functions.js';

/** Maximum rows that one call merges. */
const FOLDED_AT_ONCE = 50_000;

/** Merges the rows that postings have added, so that few rows must be read. */
export async function foldTotals(tx: Transaction): Promise<void> {
  await tx.execute(sql`select ${ledgerTotalsFold({ rows: FOLDED_AT_ONCE })}`);
}
