// The finalized transactions of a long gap. RPC nodes list them newest first; the indexer reads them from the backlog
// oldest first.
import { sql } from 'drizzle-orm';
import { insertRows } from '../../db/statements.js';
import { statement, type Executor, type Transaction } from '../../db/database.js';
import type { Listed } from '../node-history.js';

/** Adds transactions to the backlog, newest first as listed. */
export function addToBacklog(tx: Transaction, listed: readonly Listed[]): Promise<void> {
  return insertRows(tx, 'indexer_backlog', listed, {
    signature: ['text', ({ signature }) => signature],
    slot: ['bigint', ({ slot }) => slot],
    failed: ['boolean', ({ failed }) => failed],
  });
}

export interface BacklogPart {
  /** Oldest first. */
  readonly listed: readonly Listed[];
  /** Id of the newest row. The next part is newer. */
  readonly youngest: bigint;
}

/** The oldest part of the backlog after `youngerThan`; undefined when nothing is left. */
export async function readBacklog(
  db: Executor,
  youngerThan: bigint | undefined,
  limit: number,
): Promise<BacklogPart | undefined> {
  const rows = await statement<{ age: string; signature: string; slot: string; failed: boolean }>(db)`
    select age::text as age, signature, slot::text as slot, failed from indexer_backlog
    ${youngerThan === undefined ? sql`` : sql`where age < ${String(youngerThan)}::bigint`}
    order by indexer_backlog.age desc limit ${limit}`;
  const last = rows.at(-1);
  if (last === undefined) return undefined;
  return {
    listed: rows.map(({ signature, slot, failed }) => ({ signature, slot: Number(slot), failed })),
    youngest: BigInt(last.age),
  };
}

/** The oldest and the newest slot in the backlog; undefined when it is empty. */
export async function backlogSpan(
  db: Executor,
): Promise<{ readonly oldest: number; readonly newest: number } | undefined> {
  const [row] = await statement<{ oldest: string | null; newest: string | null }>(db)`
    select (select slot from indexer_backlog order by age desc limit 1)::text as oldest,
      (select slot from indexer_backlog order by age limit 1)::text as newest`;
  if (row === undefined || row.oldest === null || row.newest === null) return undefined;
  return { oldest: Number(row.oldest), newest: Number(row.newest) };
}

/** Deletes the backlog up to `youngest`, or all of it. */
export async function clearBacklog(tx: Transaction, youngest?: bigint): Promise<void> {
  await tx.execute(
    youngest === undefined
      ? sql`truncate indexer_backlog`
      : sql`delete from indexer_backlog where age >= ${String(youngest)}::bigint`,
  );
}
