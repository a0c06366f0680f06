// Trades of a token or a wallet on curves and in pools, newest or oldest first.
import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../db/database.js';
import { preparedRows } from '../../db/statements.js';
import { fromRow, idOf, isFinal, ROW, toJson, type TradeRow } from '../../index/trades/trade.js';
import { encodeTradeCursor, type TradePosition } from './cursor.js';

export interface TradesQuery {
  readonly mint?: string | undefined;
  readonly trader?: string | undefined;
  readonly side?: 'buy' | 'sell' | undefined;
  readonly order: TradePosition['order'];
  /** The last trade of the page before, in the same order. */
  readonly after?: TradePosition | undefined;
  readonly limit: number;
}

/** Most trades that are read for one page. Those of one side can all be old, and a page then has few. */
const MOST_READ = 50_000;
const READ = sql.raw(String(MOST_READ));

export async function tradePage(db: Executor, query: TradesQuery) {
  const { limit, order } = query;
  const rows = await preparedRows<TradeRow & { readonly finalized: boolean }>(db, pageQuery(query));
  const page = rows.slice(0, limit);
  const end = rows.length > limit ? page.at(-1)?.id : await lastRead(db, query);
  return {
    items: page.map((row) => toJson(fromRow(row, row.finalized))),
    next: end === undefined ? null : encodeTradeCursor({ order, id: end }),
  };
}

/** Where the reading of a page with few trades stopped. Undefined when it came to the end. */
async function lastRead(db: Executor, query: TradesQuery): Promise<string | undefined> {
  if (query.side === undefined) return undefined;
  const [row] = await preparedRows<{ id: string }>(
    db,
    sql`select t.id::text as id from trade_rows t where ${ofQuery(query)} ${inOrder(query)} offset (${READ} - 1) limit 1`,
  );
  return row?.id;
}

function pageQuery(query: TradesQuery): SQL {
  const { side, limit } = query;
  const page =
    side === undefined
      ? sql`select t.id from trade_rows t where ${ofQuery(query)}`
      : sql`select t.id from (
          select t.id, t.is_buy from trade_rows t where ${ofQuery(query)} ${inOrder(query)} limit ${READ}
        ) t where t.is_buy = ${side === 'buy'}`;
  return sql`
    select ${ROW}, ${isFinal('t.id')} as finalized from (${page} ${inOrder(query)} limit ${limit + 1}) page
      cross join lateral (select * from trades where trades.id = page.id limit 1) t
    ${inOrder(query)}`;
}

const inOrder = ({ order }: TradesQuery): SQL =>
  sql.raw(`order by t.id ${order === 'oldest' ? 'asc' : 'desc'}`);

function ofQuery({ mint, trader, order, after }: TradesQuery): SQL {
  const conditions = [
    mint === undefined ? undefined : sql`t.mint_id = ${idOf(sql`${mint}`)}`,
    trader === undefined ? undefined : sql`t.trader_id = ${idOf(sql`${trader}`)}`,
    after === undefined
      ? undefined
      : sql`t.id ${sql.raw(order === 'oldest' ? '>' : '<')} ${after.id}::bigint`,
  ].filter((condition) => condition !== undefined);
  return sql.join(conditions, sql` and `);
}
