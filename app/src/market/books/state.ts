import { sql } from 'drizzle-orm';
import { statement, type Transaction } from '../../db/database.js';
import type { marketState as marketStates } from '../../db/schema/index.js';

/** Times in Unix seconds, each the start of a minute. */
export type MarketState = Omit<typeof marketStates.$inferSelect, 'id' | 'poolsSlot'>;

/**
 * The state of the market's tables. The lock keeps it unchanged until the transaction ends. Otherwise a minute could expire, or be
 * rolled up, while a trade is added to it, and the trade's volume would never be subtracted, or be missing in the hour.
 */
export async function marketState(tx: Transaction, lock: 'share' | 'update'): Promise<MarketState> {
  const [row] = await statement<{ lapsed: string; rolled: string; minutes: string }>(tx)`
    select lapsed_to::text as lapsed, rolled_to::text as rolled, minutes_from::text as minutes
    from market_state where id = 1 for ${sql.raw(lock)}`;
  if (row === undefined)
    throw new Error('market_state has no row: restore the database, or migrate it again');
  return {
    lapsedTo: Number(row.lapsed),
    rolledTo: Number(row.rolled),
    minutesFrom: Number(row.minutes),
  };
}
