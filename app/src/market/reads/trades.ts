// Trades of a token or a wallet on curves and in pools, newest or oldest first.
import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../db/database.js';
import { column, preparedRows } from '../../db/statements.js';
import {
  fromRow,
  idOf,
  isFinal,
  ROW,
  toJson,
  type TradeJson,
  type TradeRow,
} from '../../index/trades/trade.js';
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

/** Most trades that are read for one page. Those of one side, or of a trader's token, can all be old, and a page then has few. */
const MOST_READ = 50_000;
const READ = sql.raw(String(MOST_READ));

export async function tradePage(db: Executor, query: TradesQuery) {
  const { limit, order } = query;
  const found = sql`${pageQuery(query)} ${inOrder(query)} limit ${limit + 1}`;
  const trades = await tradesFound(db, found, inOrder(query));
  const items = trades.slice(0, limit);
  const end = trades.length > limit ? items.at(-1)?.id : await lastRead(db, query);
  return { items, next: end === undefined ? null : encodeTradeCursor({ order, id: end }) };
}

/** @param found a query of ids @param order of the trades `t` */
export async function tradesFound(db: Executor, found: SQL, order = sql``): Promise<TradeJson[]> {
  const rows = await preparedRows<TradeRow & { readonly finalized: boolean }>(
    db,
    sql`select ${ROW}, ${isFinal('t.id')} as finalized from (${found}) found
      cross join lateral (select * from trades where trades.id = found.id limit 1) t
      ${order}`,
  );
  return rows.map((row) => toJson(fromRow(row, row.finalized)));
}

/** The trades with these ids, by id. A reorg may have removed some. */
export async function tradesById(db: Executor, ids: readonly string[]): Promise<Map<string, TradeJson>> {
  if (ids.length === 0) return new Map();
  const trades = await tradesFound(db, sql`select * from unnest(${column(ids, 'bigint')}) as asked (id)`);
  return new Map(trades.map((trade) => [trade.id, trade]));
}

/** Where the reading of a page with few trades stopped. Undefined when it came to the end. */
async function lastRead(db: Executor, query: TradesQuery): Promise<string | undefined> {
  if (filtersOf(query).length === 0) return undefined;
  const [row] = await preparedRows<{ id: string }>(
    db,
    sql`select t.id::text as id from trade_rows t where ${indexed(query)} ${inOrder(query)} offset (${READ} - 1) limit 1`,
  );
  return row?.id;
}

function pageQuery(query: TradesQuery): SQL {
  const filters = filtersOf(query);
  if (filters.length === 0) return sql`select t.id from trade_rows t where ${indexed(query)}`;
  return sql`select t.id from (
      select t.id, t.is_buy, t.mint_id from trade_rows t where ${indexed(query)} ${inOrder(query)} limit ${READ}
    ) t where ${sql.join(filters, sql` and `)}`;
}

const inOrder = ({ order }: TradesQuery): SQL =>
  sql.raw(`order by t.id ${order === 'oldest' ? 'asc' : 'desc'}`);

/** What an index finds in order: the trades of the trader, else those of the token. */
function indexed({ mint, trader, order, after }: TradesQuery): SQL {
  const found =
    trader === undefined
      ? sql`t.mint_id = ${idOf(sql`${mint}`)}`
      : sql`t.trader_id = ${idOf(sql`${trader}`)}`;
  if (after === undefined) return found;
  return sql`${found} and t.id ${sql.raw(order === 'oldest' ? '>' : '<')} ${after.id}::bigint`;
}

/** The other conditions. A trader can have traded others very often, so they apply to what was read. */
function filtersOf({ mint, trader, side }: TradesQuery): SQL[] {
  return [
    ...(mint === undefined || trader === undefined ? [] : [sql`t.mint_id = ${idOf(sql`${mint}`)}`]),
    ...(side === undefined ? [] : [sql`t.is_buy = ${side === 'buy'}`]),
  ];
}
