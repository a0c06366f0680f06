// Ids of records and of pool trades. Both use one sequence, so that all trades of a token have one order.
import { sql } from 'drizzle-orm';
import { statement, type Transaction } from '../../db/database.js';
import { idsTake } from '../trades/functions.js';

/** Namespace of an advisory lock. A transaction that takes ids commits before another one can take newer ids. */
const LOCK = 7_202;

/**
 * Waits for other transactions that book records or trades. A transaction that drops rows before it takes ids calls this
 * first. Then every transaction takes its locks in the same order: this one before those of graduations and of events.
 */
export async function lockIds(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, 0)`);
}

/** Reserves consecutive ids. @returns the first */
export async function takeIds(tx: Transaction, count: number): Promise<bigint> {
  await lockIds(tx);
  const [row] = await statement<{ last: string }>(tx)`select ${idsTake({ count })}::text as last`;
  return BigInt(row!.last) - BigInt(count) + 1n;
}
