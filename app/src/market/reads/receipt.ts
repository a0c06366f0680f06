// The trades of one transaction, each with its place among the trades of its token in the same slot.
import { sql, type SQL } from 'drizzle-orm';
import type { Database, Executor } from '../../db/database.js';
import { LARGEST_ID, preparedRows } from '../../db/statements.js';
import { idOf, type TradeJson } from '../../index/trades/trade.js';
import { tradesFound } from './trades.js';

/** More fit in no transaction. */
const MOST_OF_TRANSACTION = 64;

export interface ReceiptItem {
  readonly trade: TradeJson;
  /** From 1. */
  readonly place: number;
  readonly of: number;
  /** The trades right before it and right after it. */
  readonly beside: TradeJson[];
}

/** Undefined when no trade is known, also when it landed a moment ago and is not in every standby yet. */
export async function newestReceipt(
  database: Database,
  signature: string,
): Promise<{ items: ReceiptItem[] } | undefined> {
  const items =
    (await database.read((db) => receiptOf(db, signature))) ?? (await receiptOf(database.queries, signature));
  return items && { items };
}

async function receiptOf(db: Executor, signature: string): Promise<ReceiptItem[] | undefined> {
  // The hash makes a trade unique, so that it is found without another index.
  const own = await tradesWith(
    db,
    sql`substr(sha256(t.signature::bytea), 1, 16) = substr(sha256(${signature}::text::bytea), 1, 16)
      and t.signature = ${signature}`,
    MOST_OF_TRANSACTION,
  );
  if (own.length === 0) return undefined;
  return Promise.all(
    own.map(async (trade) => {
      const [inSlot, id] = [inSlotOf(trade), sql`${trade.id}::bigint`];
      const [counted] = await preparedRows<{ place: string; of: string }>(
        db,
        sql`select count(*) filter (where t.id <= ${id})::text as place, count(*)::text as of from trade_rows t where ${inSlot}`,
      );
      const next = (found: SQL, side: SQL) =>
        sql`(select ${found}(t.id) from trade_rows t where ${inSlot} and t.id ${side} ${id})`;
      const besideIt = sql`t.id in (${next(sql`max`, sql`<`)}, ${next(sql`min`, sql`>`)})`;
      const beside = await tradesWith(db, besideIt, 2);
      return { trade, place: Number(counted!.place), of: Number(counted!.of), beside };
    }),
  );
}

/** The index by slot has no trades in pools, but ids grow with the slot: between the last trade of the slots before and the first one of those after. */
function inSlotOf({ mint, id, slot }: TradeJson): SQL {
  const other = (is: SQL, order: SQL) => sql`(select o.id from trade_rows o
    where o.mint_id = ${idOf(sql`${mint}`)} and ${is} order by o.id ${order} limit 1)`;
  const earlier = other(sql`o.id < ${id}::bigint and o.slot < ${slot}::bigint`, sql`desc`);
  const later = other(sql`o.id > ${id}::bigint and o.slot > ${slot}::bigint`, sql`asc`);
  return sql`t.mint_id = ${idOf(sql`${mint}`)}
    and t.id > coalesce(${earlier}, 0) and t.id < coalesce(${later}, ${sql.raw(String(LARGEST_ID))})`;
}

/** Oldest first. */
const tradesWith = (db: Executor, condition: SQL, most: number): Promise<TradeJson[]> =>
  tradesFound(
    db,
    sql`select t.id from trade_rows t where ${condition} order by t.id limit ${most}`,
    sql`order by t.id`,
  );
