// Stores trades of pools, and books them like those of curves.
import { sql } from 'drizzle-orm';
import { insertRows } from '../../db/arrays.js';
import { rowsOf, type Transaction } from '../../db/database.js';
import { takeIds } from '../../indexer/store/records.js';
import { bookTrades } from './book-trades.js';
import { takeBack } from './take-back.js';
import type { BookedTrade } from './trade.js';

/** A swap in a pool that a graduation opened, as its transaction says it. */
export interface PoolTrade extends Omit<BookedTrade, 'id' | 'graduated'> {
  readonly signature: string;
  readonly slot: number;
  /** Index of the outer instruction, and of the inner one; −1 for the outer one itself. */
  readonly outer: number;
  readonly inner: number;
  /** Lamports of the pool's fee. */
  readonly fee: bigint;
}

/** Stores and books pool trades, in the chain's order. Those that are stored already must be left out. @returns the first id */
export async function storePoolTrades(
  tx: Transaction,
  trades: readonly PoolTrade[],
  finalized: boolean,
): Promise<bigint> {
  const first = await takeIds(tx, trades.length);
  const numbered = trades.map((trade, index) => ({ ...trade, id: first + BigInt(index), graduated: false }));
  await insertRows(tx, 'pool_trades', numbered, {
    id: ['bigint', ({ id }) => id],
    signature: ['text', ({ signature }) => signature],
    outer: ['smallint', ({ outer }) => outer],
    inner: ['smallint', ({ inner }) => inner],
    slot: ['bigint', ({ slot }) => slot],
    mint: ['text', ({ mint }) => mint],
    trader: ['text', ({ trader }) => trader],
    is_buy: ['boolean', ({ isBuy }) => isBuy],
    sol_amount: ['numeric', ({ solAmount }) => solAmount],
    token_amount: ['numeric', ({ tokenAmount }) => tokenAmount],
    fee: ['numeric', ({ fee }) => fee],
    virtual_sol: ['numeric', ({ virtualSol }) => virtualSol],
    virtual_token: ['numeric', ({ virtualToken }) => virtualToken],
    timestamp: ['bigint', ({ timestamp }) => timestamp],
    finalized: ['boolean', () => finalized],
  });
  await bookTrades(tx, numbered);
  return first;
}

/** Finalizes the pool trades up to an id. */
export async function finalizePoolTrades(tx: Transaction, lastId: bigint): Promise<void> {
  await tx.execute(
    sql`update pool_trades set finalized = true where not finalized and id <= ${String(lastId)}::bigint`,
  );
}

/** Removes the pool trades from an id on that are not finalized: their fork was lost. @returns how many */
export async function dropPoolTrades(tx: Transaction, firstId: bigint): Promise<number> {
  const onDropped = await takeBack(tx, { of: 'pool_trades', firstId });
  const [row] = await rowsOf<{ count: number }>(
    tx,
    sql`with gone as (
          delete from pool_trades where id >= ${String(firstId)}::bigint and not finalized returning 1
        )
        select count(*)::integer as count from gone`,
  );
  await onDropped();
  return row!.count;
}
