// Transactions signed with an authority's key, in the database. Each subject has at most one that is neither finalized nor
// expired.
import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '../db/database.js';
import { authorityTransactions, type TRANSACTION_STATES } from '../db/schema/index.js';
import { requirePaymentsOpen } from '../ledger/gate/payments-gate.js';

const COLUMNS = (({ subject, signature, transaction, blockhashSlot, lastValidBlockHeight }) => ({
  subject,
  signature,
  transaction,
  blockhashSlot,
  lastValidBlockHeight,
}))(authorityTransactions);

export type StoredTransaction = Pick<typeof authorityTransactions.$inferSelect, keyof typeof COLUMNS>;

export type FinalState = Exclude<(typeof TRANSACTION_STATES)[number], 'signed'>;

/**
 * Stores a transaction before it is sent.
 *
 * @returns false when another transaction of its subject may still land
 * @throws PaymentsHeldError while payments are held
 */
export async function storeSigned(db: Executor, transaction: StoredTransaction): Promise<boolean> {
  await requirePaymentsOpen(db);
  const stored = await db
    .insert(authorityTransactions)
    .values(transaction)
    .onConflictDoNothing()
    .returning({ signature: authorityTransactions.signature });
  return stored.length === 1;
}

/** The transaction of a subject that may still land. */
export async function undecidedOf(db: Executor, subject: string): Promise<StoredTransaction | undefined> {
  const [transaction] = await db
    .select(COLUMNS)
    .from(authorityTransactions)
    .where(and(eq(authorityTransactions.subject, subject), eq(authorityTransactions.state, 'signed')));
  return transaction;
}

/** Stores a transaction's final state. @returns false when it has one already */
export async function decide(
  db: Executor,
  signature: string,
  state: FinalState,
  problem: string | null,
): Promise<boolean> {
  const decided = await db
    .update(authorityTransactions)
    .set({ state, problem, updatedAt: sql`now()` })
    .where(and(eq(authorityTransactions.signature, signature), eq(authorityTransactions.state, 'signed')))
    .returning({ signature: authorityTransactions.signature });
  return decided.length === 1;
}
