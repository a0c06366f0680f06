import { sql } from 'drizzle-orm';
import { rowsOf, type Transaction } from '../../db/database.js';

/**
 * The minute from which on trades count as those of the last 24 hours, in Unix seconds. It stays so until the transaction ends:
 * a minute that lapses while a trade is added to it would else keep the trade's volume.
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
