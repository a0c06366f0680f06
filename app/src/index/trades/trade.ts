// A trade on a curve or in a pool: made from a record or a swap, stored, read, and shown to clients.
import { poolTrade, type CurveRecord, type PoolState, type PoolSwap } from '@curvekit/sdk';
import { sql, type SQL } from 'drizzle-orm';
import type { Columns } from '../../db/statements.js';
import type { tradeRows } from '../../db/schema/index.js';
import { textOf } from './key-text.js';

/** A row of the view `trades`, and whether a reorg can no longer drop it. */
export interface Trade extends Omit<
  Readonly<typeof tradeRows.$inferSelect>,
  'mintId' | 'traderId' | 'inPool'
> {
  readonly venue: 'curve' | 'pool';
  readonly mint: string;
  readonly trader: string;
  readonly finalized: boolean;
}

/** A trade in a pool that is not stored yet. */
export type PoolTrade = Omit<Trade, 'id' | 'venue' | 'graduated' | 'finalized'>;

/** The columns of the view `trades`, as they are sent. */
export const COLUMNS = {
  id: ['bigint', ({ id }) => id],
  venue: ['text', ({ venue }) => venue],
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
  graduated: ['boolean', ({ graduated }) => graduated],
  timestamp: ['bigint', ({ timestamp }) => timestamp],
} as const satisfies Columns<Trade>;

/** The columns of a row `t` of `trades` that `fromRow` reads. Numbers wider than 32 bits are text. */
export const ROW =
  sql.raw(`t.id::text as id, t.venue, t.signature, t."outer", t."inner", t.slot::text as slot, t.mint, t.trader,
  t.is_buy, t.sol_amount::text as sol_amount, t.token_amount::text as token_amount, t.fee::text as fee,
  t.virtual_sol::text as virtual_sol, t.virtual_token::text as virtual_token, t.graduated, t.timestamp::text as timestamp`);

export type TradeRow = Pick<
  Trade,
  'venue' | 'signature' | 'outer' | 'inner' | 'mint' | 'trader' | 'graduated'
> &
  Readonly<
    Record<
      'id' | 'slot' | 'sol_amount' | 'token_amount' | 'fee' | 'virtual_sol' | 'virtual_token' | 'timestamp',
      string
    > & { is_buy: boolean }
  >;

export function fromRow(row: TradeRow, finalized: boolean): Trade {
  const { venue, signature, outer, inner, mint, trader, graduated } = row;
  return {
    ...{ id: BigInt(row.id), venue, signature, outer, inner, slot: Number(row.slot), mint, trader },
    ...{ isBuy: row.is_buy, graduated, timestamp: Number(row.timestamp), finalized },
    solAmount: BigInt(row.sol_amount),
    tokenAmount: BigInt(row.token_amount),
    fee: BigInt(row.fee),
    virtualSol: BigInt(row.virtual_sol),
    virtualToken: BigInt(row.virtual_token),
  };
}

type TradeRecord = Extract<CurveRecord, { readonly kind: 'trade' }> & { readonly id: bigint };

/** The trade of a record of the curve program. */
export function fromRecord({ id, signature, position, slot, data }: TradeRecord, finalized: boolean): Trade {
  const { isBuy, solAmount, tokenAmount, fee, virtualSol, virtualToken } = data;
  return {
    ...{
      id,
      venue: 'curve',
      signature,
      ...position,
      slot,
      mint: textOf(data.mint),
      trader: textOf(data.trader),
    },
    ...{ isBuy, solAmount, tokenAmount, fee, virtualSol, virtualToken, graduated: data.finalized },
    ...{ timestamp: Number(data.timestamp), finalized },
  };
}

/** Where and when a swap happened. */
type SwapPlace = Pick<Trade, 'mint' | 'signature' | 'slot' | 'timestamp'>;

/** The trade of a swap, from the pool's states before and after it. */
export function fromSwap(
  { mint, signature, slot, timestamp }: SwapPlace,
  { position, trader, input, amountIn, amountOut }: PoolSwap,
  before: PoolState,
  after: PoolState,
): PoolTrade {
  const isBuy = input === 'sol';
  const { inputFee } = poolTrade(before, input, amountIn);
  // A sale's fee is in tokens: convert it at the trade's price, rounded down.
  const fee = isBuy ? inputFee : amountIn === 0n ? 0n : (inputFee * amountOut) / amountIn;
  const [solAmount, tokenAmount] = isBuy ? [amountIn, amountOut] : [amountOut, amountIn];
  return {
    ...{ mint, signature, slot, timestamp, ...position, trader, isBuy, solAmount, tokenAmount, fee },
    ...{ virtualSol: after.sol, virtualToken: after.token },
  };
}

export type TradeJson = ReturnType<typeof toJson>;

/** A trade as the Market API and its stream show it. */
export function toJson(trade: Trade) {
  return {
    id: String(trade.id),
    mint: trade.mint,
    signature: trade.signature,
    slot: trade.slot,
    trader: trade.trader,
    venue: trade.venue,
    isBuy: trade.isBuy,
    solAmount: String(trade.solAmount),
    tokenAmount: String(trade.tokenAmount),
    fee: String(trade.fee),
    virtualSol: String(trade.virtualSol),
    virtualToken: String(trade.virtualToken),
    graduated: trade.graduated,
    timestamp: trade.timestamp,
    finalized: trade.finalized,
  };
}

/** The number of an address in trades and positions: SQL, from the SQL of its text. Null without any. */
export function idOf(address: SQL): SQL {
  return sql`(select a.id from addresses a where a.address = ${address})`;
}

/** Whether a record or trade is final: SQL, from the SQL of its id. */
export function isFinal(id: string): SQL {
  return sql.raw(`not exists (select 1 from unfinalized where unfinalized.id = ${id})`);
}
