// Trades of a token or a wallet, newest first, on curves and in pools.
import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../db/database.js';
import { preparedRows } from '../../db/prepared.js';
import { encodeIdCursor } from './cursor.js';

export interface TradesQuery {
  readonly mint?: string | undefined;
  readonly trader?: string | undefined;
  readonly side?: 'buy' | 'sell' | undefined;
  /** Trades before this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

type TradeRow = Readonly<
  Record<
    | 'id'
    | 'mint'
    | 'signature'
    | 'slot'
    | 'trader'
    | 'sol_amount'
    | 'token_amount'
    | 'fee'
    | 'virtual_sol'
    | 'virtual_token'
    | 'timestamp',
    string
  >
> & {
  readonly venue: 'curve' | 'pool';
  readonly is_buy: boolean;
  readonly graduated: boolean;
  readonly finalized: boolean;
};

export async function tradePage(db: Executor, query: TradesQuery) {
  const { limit } = query;
  const rows = await preparedRows<TradeRow>(db, pageQuery(query));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(tradeOf),
    next: rows.length > limit && last !== undefined ? encodeIdCursor(last.id) : null,
  };
}

const COLUMNS =
  sql.raw(`t.mint, t.trader, t.is_buy, t.sol_amount::text as sol_amount, t.token_amount::text as token_amount,
  t.fee::text as fee, t.virtual_sol::text as virtual_sol, t.virtual_token::text as virtual_token,
  t.timestamp::text as timestamp`);

function pageQuery(query: TradesQuery): SQL {
  const most = sql`limit ${query.limit + 1}`;
  const id = sql`t.record_id`;
  return sql`
    (select r.id, r.id::text as id, r.signature, r.slot::text as slot, 'curve' as venue, t.graduated, r.finalized, ${COLUMNS}
      from trades t join records r on r.id = t.record_id ${conditions(query, id)} order by t.record_id desc ${most})
    union all
    (select t.id, t.id::text as id, t.signature, t.slot::text as slot, 'pool', false, t.finalized, ${COLUMNS}
      from pool_trades t ${conditions(query, sql`t.id`)} order by t.id desc ${most})
    order by 1 desc ${most}`;
}

function conditions({ mint, trader, side, before }: TradesQuery, id: SQL): SQL {
  const all = [
    mint === undefined ? undefined : sql`t.mint = ${mint}`,
    trader === undefined ? undefined : sql`t.trader = ${trader}`,
    side === undefined ? undefined : sql`t.is_buy = ${side === 'buy'}`,
    before === undefined ? undefined : sql`${id} < ${before}::bigint`,
  ].filter((condition) => condition !== undefined);
  return sql`where ${sql.join(all, sql` and `)}`;
}

/** Converts a row to a `Trade`. */
export function tradeOf(row: TradeRow) {
  return {
    id: row.id,
    mint: row.mint,
    signature: row.signature,
    slot: Number(row.slot),
    trader: row.trader,
    venue: row.venue,
    isBuy: row.is_buy,
    solAmount: row.sol_amount,
    tokenAmount: row.token_amount,
    fee: row.fee,
    virtualSol: row.virtual_sol,
    virtualToken: row.virtual_token,
    graduated: row.graduated,
    timestamp: Number(row.timestamp),
    finalized: row.finalized,
  };
}
