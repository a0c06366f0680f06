// Stores trades of pools, and books them like trades of curves.
import { sql } from 'drizzle-orm';
import { insertRows } from '../../db/arrays.js';
import { rowsOf, type Transaction } from '../../db/database.js';
import { takeIds } from '../../indexer/store/ids.js';
import { publishDropped, publishPoolTrades } from '../stream/publish.js';
import { bookTrades } from './book-trades.js';
import { takeBack } from './take-back.js';
import type { BookedTrade } from './trade.js';

/** A swap in a pool that a graduation opened, as read from its transaction. */
export interface PoolTrade extends Omit<BookedTrade, 'id' | 'graduated'> {
  readonly signature: string;
  readonly slot: number;
  /** Indexes of the outer and the inner instruction. `inner` is −1 when the outer instruction made the trade. */
  readonly outer: number;
  readonly inner: number;
  /** The pool's fee in lamports. */
  readonly fee: bigint;
}

/** Stores and books new pool trades, in the order of the chain. @returns the first id; undefined without trades */
export async function storePoolTrades(
  tx: Transaction,
  trades: readonly PoolTrade[],
  finalized: boolean,
): Promise<bigint | undefined> {
  if (trades.length === 0) return undefined;
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
  await publishPoolTrades(
    tx,
    numbered.map((trade) => ({ ...trade, finalized })),
  );
  return first;
}

/** Finalizes the stored trades of a token's pool up to a finalized slot. */
export async function finalizePoolTrades(tx: Transaction, mint: string, slot: number): Promise<void> {
  await tx.execute(
    sql`update pool_trades set finalized = true where mint = ${mint} and not finalized and slot <= ${slot}`,
  );
}

/** Removes unfinalized trades of a token's pool from an id on, after a reorg. @returns the number of removed trades */
export async function dropPoolTrades(tx: Transaction, mint: string, firstId: bigint): Promise<number> {
  const onDropped = await takeBack(tx, { of: 'pool_trades', mint, firstId });
  const [row] = await rowsOf<{ count: number }>(
    tx,
    sql`with gone as (
          delete from pool_trades where mint = ${mint} and id >= ${String(firstId)}::bigint and not finalized returning 1
        )
        select count(*)::integer as count from gone`,
  );
  await onDropped();
  if (row!.count > 0) await publishDropped(tx, [mint], firstId);
  return row!.count;
}

/**
 * Removes the trades of pools whose graduation is about to be deleted. The row locks block new trades until the transaction
 * ends.
 */
export async function dropTradesOfLostPools(tx: Transaction, firstRecordId: bigint): Promise<void> {
  const lost = await rowsOf<{ mint: string }>(
    tx,
    sql`select mint from graduations where record_id >= ${String(firstRecordId)}::bigint for update`,
  );
  for (const { mint } of lost) await dropPoolTrades(tx, mint, 0n);
}
