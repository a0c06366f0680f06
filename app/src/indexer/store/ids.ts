// Ids of records and of trades in pools: one sequence, so that a token's trades have one order.
import { sql } from 'drizzle-orm';
import { rowsOf, type Transaction } from '../../db/database.js';

/** Of advisory locks: whoever takes ids commits before another one takes newer ones. */
const LOCK = 7_202;

/** Reserves ids that follow each other. @returns the first */
export async function takeIds(tx: Transaction, count: number): Promise<bigint> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, 0)`);
  const [row] = await rowsOf<{ last: string }>(
    tx,
    sql`select setval('records_id_seq', nextval('records_id_seq') + ${count}::bigint - 1)::text as last`,
  );
  return BigInt(row!.last) - BigInt(count) + 1n;
}
