// A trade on a curve or in a pool: made from a record or a swap, stored, read, and shown to clients.
import { poolTrade, type CurveRecord, type PoolState, type PoolSwap } from '@curvekit/sdk';
import { sql, type SQL } from 'drizzle-orm';
import type { ArrayItem, ArrayType, Columns } from '../../db/statements.js';
import { textOf } from './key-text.js';

const asIs = <T extends string | number | boolean>(value: T): T => value;

/**
 * The fields of a trade, in the order in which clients see them: its column of the view `trades`, the column's type, and how a field
 * is made of what the database gives. Numbers wider than 32 bits are read as text.
 */
const FIELDS = {
  id: ['id', 'bigint', BigInt],
  mint: ['mint', 'text', asIs<string>],
  signature: ['signature', 'text', asIs<string>],
  slot: ['slot', 'bigint', Number],
  trader: ['trader', 'text', asIs<string>],
  venue: ['venue', 'text', asIs<'curve' | 'pool'>],
  isBuy: ['is_buy', 'boolean', asIs<boolean>],
  solAmount: ['sol_amount', 'numeric', BigInt],
  tokenAmount: ['token_amount', 'numeric', BigInt],
  fee: ['fee', 'numeric', BigInt],
  virtualSol: ['virtual_sol', 'numeric', BigInt],
  virtualToken: ['virtual_token', 'numeric', BigInt],
  graduated: ['graduated', 'boolean', asIs<boolean>],
  timestamp: ['timestamp', 'bigint', Number],
  outer: ['outer', 'smallint', asIs<number>],
  inner: ['inner', 'smallint', asIs<number>],
} as const satisfies Readonly<Record<string, readonly [string, ArrayType, (value: never) => ArrayItem]>>;

type Fields = typeof FIELDS;
type Field = keyof Fields;
const NAMES = Object.keys(FIELDS) as Field[];

/** A row of the view `trades`, and whether a reorg can no longer drop it. */
export type Trade = { readonly [Name in Field]: ReturnType<Fields[Name][2]> } & {
  readonly finalized: boolean;
};

/** A trade in a pool that is not stored yet. */
export type PoolTrade = Omit<Trade, 'id' | 'venue' | 'graduated' | 'finalized'>;

/** The columns of the view `trades`, as they are sent. */
export const COLUMNS = Object.fromEntries(
  NAMES.map((name) => [FIELDS[name][0], [FIELDS[name][1], (trade: Trade) => trade[name]]] as const),
) as unknown as Readonly<Record<Fields[Field][0], Columns<Trade>[string]>>;

/** The columns of a row `t` of `trades` that `fromRow` reads. */
export const ROW = sql.raw(
  NAMES.map((name) => {
    const [column, type] = FIELDS[name];
    return `t."${column}"${type === 'bigint' || type === 'numeric' ? '::text' : ''} as "${name}"`;
  }).join(', '),
);

export type TradeRow = Readonly<Record<Field, string | number | boolean> & { id: string }>;

export function fromRow(row: TradeRow, finalized: boolean): Trade {
  const fields = NAMES.map((name) => [name, (FIELDS[name][2] as (value: unknown) => unknown)(row[name])]);
  return { ...(Object.fromEntries(fields) as Trade), finalized };
}

type TradeRecord = Extract<CurveRecord, { readonly kind: 'trade' }> & { readonly id: bigint };

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

/** A trade as the Market API and its stream show it. */
export type TradeJson = {
  readonly [Name in Exclude<keyof Trade, 'outer' | 'inner'>]: Trade[Name] extends bigint
    ? string
    : Trade[Name];
};

const SHOWN = [...NAMES.filter((name) => name !== 'outer' && name !== 'inner'), 'finalized'] as const;

export function toJson(trade: Trade): TradeJson {
  const fields = SHOWN.map((name) => {
    const value = trade[name];
    return [name, typeof value === 'bigint' ? String(value) : value];
  });
  return Object.fromEntries(fields) as TradeJson;
}

/** The number of an address in trades and positions: SQL, from the SQL of its text. Null without any. */
export function idOf(address: SQL): SQL {
  return sql`(select a.id from addresses a where a.address = ${address})`;
}

/** Whether a record or trade is final: SQL, from the SQL of its id. */
export function isFinal(id: string): SQL {
  return sql.raw(`not exists (select 1 from unfinalized where unfinalized.id = ${id})`);
}
