// Past transactions of a subject. An RPC node can wrongly report one as expired, so callers check again before they sign
// another.
import type { Connection } from '@solana/web3.js';
import { and, asc, eq, ne, sql } from 'drizzle-orm';
import type { Executor } from '../db/database.js';
import { authorityTransactions, type TRANSACTION_STATES } from '../db/schema/index.js';
import { askNode } from '../chain/connection.js';

export type TransactionState = (typeof TRANSACTION_STATES)[number];

/** Maximum signatures in one request for statuses. */
const STATUSES_PER_REQUEST = 256;

/** Signatures of a subject's transactions in a state, oldest first. */
export async function signaturesOf(
  db: Executor,
  subject: string,
  state: TransactionState,
): Promise<string[]> {
  const rows = await db
    .select({ signature: authorityTransactions.signature })
    .from(authorityTransactions)
    .where(and(eq(authorityTransactions.subject, subject), eq(authorityTransactions.state, state)))
    .orderBy(asc(authorityTransactions.createdAt), asc(authorityTransactions.signature));
  return rows.map(({ signature }) => signature);
}

export async function statesOf(db: Executor, subject: string): Promise<Set<TransactionState>> {
  const rows = await db
    .selectDistinct({ state: authorityTransactions.state })
    .from(authorityTransactions)
    .where(eq(authorityTransactions.subject, subject));
  return new Set(rows.map(({ state }) => state));
}

/** The newest of these signatures that the RPC node knows, in any state. Also searches the node's history. */
export async function findLanded(
  connection: Connection,
  signatures: readonly string[],
): Promise<string | undefined> {
  if (signatures.length === 0) return undefined;
  const newest = signatures.slice(-STATUSES_PER_REQUEST);
  const { value } = await askNode(
    connection.getSignatureStatuses(newest, { searchTransactionHistory: true }),
  );
  return newest.findLast((_, index) => (value[index] ?? null) !== null);
}

/** Marks an expired transaction as one that may still land. @returns false when it is not expired */
export async function reopen(db: Executor, signature: string): Promise<boolean> {
  const reopened = await db
    .update(authorityTransactions)
    .set({ state: 'signed', updatedAt: sql`now()` })
    .where(and(eq(authorityTransactions.signature, signature), eq(authorityTransactions.state, 'expired')))
    .returning({ signature: authorityTransactions.signature });
  return reopened.length === 1;
}

/** Records that a transaction is finalized, in any earlier state. */
export async function recordFinalized(db: Executor, signature: string): Promise<void> {
  await db
    .update(authorityTransactions)
    .set({ state: 'finalized', problem: null, updatedAt: sql`now()` })
    .where(and(eq(authorityTransactions.signature, signature), ne(authorityTransactions.state, 'finalized')));
}
