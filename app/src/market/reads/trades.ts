// Trades of a token or a wallet, newest first, on curves and in pools.
import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../db/database.js';
import { preparedRows } from '../../db/prepared.js';
import { fromRow, idOf, isFinal, ROW, toJson, type TradeRow } from '../../trades/trade.js';
import { encodeIdCursor } from './cursor.js';

export interface TradesQuery {
  readonly mint?: string | undefined;
  readonly trader?: string | undefined;
  readonly side?: 'buy' | 'sell' | undefined;
  /** Trades before this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export async function tradePage(db: Executor, query: TradesQuery) {
  const { limit } = query;
  const rows = await preparedRows<TradeRow & { readonly finalized: boolean }>(db, pageQuery(query));
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => toJson(fromRow(row, row.finalized))),
    next: rows.length > limit && last !== undefined ? encodeIdCursor(last.id) : null,
  };
}

function pageQuery({ mint, trader, side, before, limit }: TradesQuery): SQL {
  const conditions = [
    mint === undefined ? undefined : sql`t.mint_id = ${idOf(sql`${mint}`)}`,
    trader === undefined ? undefined : sql`t.trader_id = ${idOf(sql`${trader}`)}`,
    side === undefined ? undefined : sql`t.is_buy = ${side === 'buy'}`,
    before === undefined ? undefined : sql`t.id < ${before}::bigint`,
  ].filter((condition) => condition !== undefined);
  return sql`
    select ${ROW}, ${isFinal('t.id')} as finalized from trades t
    where ${sql.join(conditions, sql` and `)} order by t.id desc limit ${limit + 1}`;
}
