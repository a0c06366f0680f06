import { sql } from 'drizzle-orm';
import { rowsOf, type Transaction } from '../../db/database.js';

/**
 * First minute of the last 24 hours, in Unix seconds. The lock keeps it unchanged until the transaction ends. Otherwise a
 * minute could lapse while a trade is added to it, and the trade's volume would never be subtracted.
 */
export async function lapsedTo(tx: Transaction, lock: 'share' | 'update'): Promise<number> {
  const [row] = await rowsOf<{ lapsed: string }>(
    tx,
    sql`select lapsed_to::text as lapsed from market_state where id = 1 for ${sql.raw(lock)}`,
  );
  if (row === undefined)
    throw new Error('market_state has no row: restore the database, or migrate it again');
  return Number(row.lapsed);
}
