// Stores trades of pools, and books them like trades of curves.
import type { Transaction } from '../../db/database.js';
import { rangeOf } from '../../db/statements.js';
import { addUnfinalized, deleteTrades, insertTrades, takeIds } from '../../index/trades/store.js';
import type { PoolTrade, Trade } from '../../index/trades/trade.js';
import { publishDropped, publishTrades } from '../stream/publish.js';
import { bookTrades } from './book-trades.js';
import { takeBack } from './take-back.js';

/** Stores and books new pool trades, in the order of the chain. @returns the first id; undefined without trades */
export async function storePoolTrades(
  tx: Transaction,
  fresh: readonly PoolTrade[],
  finalized: boolean,
): Promise<bigint | undefined> {
  if (fresh.length === 0) return undefined;
  const first = await takeIds(tx, fresh.length);
  const trades = fresh.map((trade, index): Trade => ({
    ...{ ...trade, id: first + BigInt(index), venue: 'pool', graduated: false, finalized },
  }));
  await insertTrades(tx, trades);
  if (!finalized) await addUnfinalized(tx, rangeOf(trades), 'pool');
  await bookTrades(tx, trades);
  await publishTrades(tx, trades);
  return first;
}

/** Removes unfinalized trades of a token's pool from an id on, after a reorg. @returns the number of removed trades */
export async function dropPoolTrades(tx: Transaction, mint: string, firstId: bigint): Promise<number> {
  const trades = await deleteTrades(tx, { venue: 'pool', mints: [mint], firstId });
  if (trades.length === 0) return 0;
  await takeBack(tx, { mints: [mint], trades });
  await publishDropped(tx, [mint], firstId);
  return trades.length;
}
