// Trades of pools in the tables: finalized ones for good, others until the chain confirms or drops them.
import { sql } from 'drizzle-orm';
import { insertRows } from '../db/arrays.js';
import { rowsOf, type Executor, type Transaction } from '../db/database.js';
import { takeIds } from '../indexer/store/ids.js';
import { bookTrades } from '../market/books/book-trades.js';

/** Reserves of a pool that trade. Lamports and token units. */
export interface Reserves {
  readonly sol: bigint;
  readonly token: bigint;
}

/** A transaction with trades of one pool. */
export interface StoredTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly finalized: boolean;
  readonly firstId: bigint;
  /** After its last trade. */
  readonly after: Reserves;
}

/** A trade to be stored. Lamports and token units. */
export interface PoolTrade {
  readonly signature: string;
  readonly slot: number;
  readonly outer: number;
  readonly inner: number;
  readonly trader: string;
  readonly isBuy: boolean;
  readonly solAmount: bigint;
  readonly tokenAmount: bigint;
  readonly fee: bigint;
  readonly after: Reserves;
  /** Unix seconds. */
  readonly timestamp: number;
}

/** The newest finalized transaction of a pool, and all that are not finalized, oldest first. */
export async function storedTransactions(db: Executor, mint: string): Promise<StoredTransaction[]> {
  const rows = await rowsOf<
    Record<'signature' | 'slot' | 'first' | 'sol' | 'token', string> & { readonly finalized: boolean }
  >(
    db,
    sql`select signature, slot::text as slot, finalized, min(id)::text as first,
          (array_agg(virtual_sol::text order by id desc))[1] as sol,
          (array_agg(virtual_token::text order by id desc))[1] as token
        from pool_trades where mint = ${mint} and id >= coalesce((
          select id from pool_trades where mint = ${mint} and finalized order by id desc limit 1
        ), 0)
        group by signature, slot, finalized order by min(id)`,
  );
  return rows.map(({ signature, slot, finalized, first, sol, token }) => ({
    signature,
    slot: Number(slot),
    finalized,
    firstId: BigInt(first),
    after: { sol: BigInt(sol), token: BigInt(token) },
  }));
}

/** Transactions of a slot that have finalized trades of a pool. */
export async function finalSignatures(db: Executor, mint: string, slot: number): Promise<Set<string>> {
  const rows = await rowsOf<{ signature: string }>(
    db,
    sql`select distinct signature from pool_trades where mint = ${mint} and slot = ${slot} and finalized`,
  );
  return new Set(rows.map(({ signature }) => signature));
}

/** Stores trades in the chain's order, and books them in the market. */
export async function storeTrades(
  tx: Transaction,
  mint: string,
  trades: readonly PoolTrade[],
): Promise<void> {
  if (trades.length === 0) return;
  const firstId = await takeIds(tx, trades.length);
  const numbered = trades.map((trade, index) => ({
    ...trade,
    id: firstId + BigInt(index),
    mint,
    virtualSol: trade.after.sol,
    virtualToken: trade.after.token,
    graduated: false,
  }));
  await insertRows(tx, 'pool_trades', numbered, {
    id: ['bigint', ({ id }) => id],
    signature: ['text', ({ signature }) => signature],
    outer: ['smallint', ({ outer }) => outer],
    inner: ['smallint', ({ inner }) => inner],
    slot: ['bigint', ({ slot }) => slot],
    mint: ['text', () => mint],
    trader: ['text', ({ trader }) => trader],
    is_buy: ['boolean', ({ isBuy }) => isBuy],
    sol_amount: ['numeric', ({ solAmount }) => solAmount],
    token_amount: ['numeric', ({ tokenAmount }) => tokenAmount],
    fee: ['numeric', ({ fee }) => fee],
    virtual_sol: ['numeric', ({ virtualSol }) => virtualSol],
    virtual_token: ['numeric', ({ virtualToken }) => virtualToken],
    timestamp: ['bigint', ({ timestamp }) => timestamp],
    finalized: ['boolean', () => false],
  });
  await bookTrades(tx, numbered);
}

/** Finalizes what is stored of a pool up to a finalized slot. */
export async function finalizeTrades(tx: Transaction, mint: string, slot: number): Promise<void> {
  await tx.execute(
    sql`update pool_trades set finalized = true where mint = ${mint} and not finalized and slot <= ${slot}`,
  );
}
