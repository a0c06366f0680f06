// Payments found on chain that the tables lack, or lacked at that time.
import { asc, desc, eq, sql } from 'drizzle-orm';
import { column } from '../db/statements.js';
import { statement, type Executor, type Transaction } from '../db/database.js';
import { paymentFindings } from '../db/schema/index.js';

export type Finding = typeof paymentFindings.$inferSelect;
export type NewFinding = Omit<Finding, 'createdAt' | 'updatedAt'>;

/** Retried when a process starts. Limited, because anyone can send unreadable transactions. */
const MOST_RETRIED = 1_000;

/**
 * Records the result for a transaction. Overwrites only an open or unreadable finding. @returns false when another result
 * is recorded already
 */
export async function recordFinding(tx: Transaction, finding: NewFinding): Promise<boolean> {
  const { slot, kind, state, detail } = finding;
  const rows = await tx
    .insert(paymentFindings)
    .values(finding)
    .onConflictDoUpdate({
      target: paymentFindings.signature,
      set: { slot, kind, state, detail, updatedAt: sql`now()` },
      setWhere: sql`${paymentFindings.state} in ('open', 'unreadable')`,
    })
    .returning({ signature: paymentFindings.signature });
  return rows.length > 0;
}

/** The signatures of the given transactions that are not in the tables. */
export async function unknownOf(
  db: Executor,
  transactions: readonly { readonly signature: string }[],
): Promise<Set<string>> {
  const signatures = transactions.map(({ signature }) => signature);
  const rows = await statement<{ signature: string }>(db)`
    select listed.signature from unnest(${column(signatures, 'text')}) as listed(signature)
    where not exists (select 1 from claims c where c.signature = listed.signature)
      and not exists (select 1 from authority_transactions a where a.signature = listed.signature)
      and not exists (select 1 from treasury_fundings t where t.signature = listed.signature)
      and not exists (
        select 1 from payment_findings f where f.signature = listed.signature and f.state <> 'open'
      )`;
  return new Set(rows.map(({ signature }) => signature));
}

/** Payments that cannot be booked, oldest first. */
export function openFindings(db: Executor): Promise<Finding[]> {
  return db
    .select()
    .from(paymentFindings)
    .where(eq(paymentFindings.state, 'open'))
    .orderBy(asc(paymentFindings.slot), asc(paymentFindings.signature));
}

/** Transactions that could not be read, newest first. Another node or another version of the service may read them. */
export function unreadableFindings(db: Executor): Promise<Finding[]> {
  return db
    .select()
    .from(paymentFindings)
    .where(eq(paymentFindings.state, 'unreadable'))
    .orderBy(desc(paymentFindings.slot), asc(paymentFindings.signature))
    .limit(MOST_RETRIED);
}

export interface UnreadableFindings {
  readonly count: number;
  /** Signature of the newest one. */
  readonly newest: string | undefined;
}

export async function countUnreadableFindings(db: Executor): Promise<UnreadableFindings> {
  const [row] = await statement<{ count: number; newest: string | null }>(db)`
    select count(*)::integer as count,
      (select signature from payment_findings where state = 'unreadable' order by slot desc, signature limit 1) as newest
    from payment_findings where state = 'unreadable'`;
  return { count: row?.count ?? 0, newest: row?.newest ?? undefined };
}

export function allFindings(db: Executor, limit: number): Promise<Finding[]> {
  return db
    .select()
    .from(paymentFindings)
    .orderBy(sql`${paymentFindings.slot} desc`, asc(paymentFindings.signature))
    .limit(limit);
}
