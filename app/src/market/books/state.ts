import { sql } from 'drizzle-orm';
import { statement, type Transaction } from '../../db/database.js';

/** Times in Unix seconds, each the start of a minute. */
export interface MarketState {
  /** First minute of the last 24 hours. */
  readonly lapsedTo: number;
  /** Trades before this minute are in the candles of hours and days. */
  readonly rolledTo: number;
  /** Candles of earlier minutes are deleted. */
  readonly minutesFrom: number;
}

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
