// The table of trades. Ids of records and of pool trades come from one sequence, so all trades of a token have one order.
import { sql, type SQL } from 'drizzle-orm';
import { column, insertRows, type IdRange } from '../../db/statements.js';
import { statement, type Transaction } from '../../db/database.js';
import { COLUMNS, fromRow, idOf, ROW, type Trade, type TradeRow } from './trade.js';
import { idsTake } from './functions.js';

/** Stores trades. The caller marks those that a reorg can still drop. @param numbers of their addresses, if it knows them */
export async function insertTrades(
  tx: Transaction,
  trades: readonly Trade[],
  numbers?: ReadonlyMap<string, number>,
): Promise<void> {
  if (trades.length === 0) return;
  const ids = numbers ?? (await numbersOf(tx, trades));
  const { mint: _mint, trader: _trader, venue: _venue, ...own } = COLUMNS;
  await insertRows(tx, 'trade_rows', trades, {
    ...own,
    in_pool: ['boolean', ({ venue }) => venue === 'pool'],
    mint_id: ['integer', ({ mint }) => ids.get(mint)!],
    trader_id: ['integer', ({ trader }) => ids.get(trader)!],
  });
}

/** Returns the ids of the trades' addresses and adds missing ones. The caller holds the id lock, so no other process numbers them meanwhile. */
export async function numbersOf(
  tx: Transaction,
  trades: readonly Trade[],
): Promise<ReadonlyMap<string, number>> {
  const asked = [...new Set(trades.flatMap(({ mint, trader }) => [mint, trader]))];
  if (asked.length === 0) return new Map();
  const known = await statement<{ id: number; address: string }>(tx)`
    select id, address from addresses where address = any(${column(asked, 'text')})`;
  const ids = new Map(known.map(({ id, address }) => [address, id]));
  const fresh = asked.filter((address) => !ids.has(address));
  if (fresh.length === 0) return ids;
  const added = await statement<{ id: number; address: string }>(tx)`
    insert into addresses (address) select * from unnest(${column(fresh, 'text')}) returning id, address`;
  for (const { id, address } of added) ids.set(address, id);
  return ids;
}

/** Marks records or trades that a reorg can still drop: all of a range. */
export async function addUnfinalized(
  tx: Transaction,
  { first, last }: IdRange,
  venue: Trade['venue'],
): Promise<void> {
  await tx.execute(sql`insert into unfinalized (id, venue)
    select id, ${venue} from generate_series(${String(first)}::bigint, ${String(last)}::bigint) id`);
}

/**
 * Finalizes records of curves up to an id. @returns their range; undefined without any
 *
 * @param after all up to this id are final: a bound saves reading the index's entries of rows that are deleted but not vacuumed
 */
export async function finalizeCurves(
  tx: Transaction,
  after: bigint,
  lastId: bigint,
): Promise<IdRange | undefined> {
  const [found] = await statement<{ first: string | null; last: string }>(tx)`
    with gone as (delete from unfinalized
      where venue = 'curve' and id > ${String(after)}::bigint and id <= ${String(lastId)}::bigint returning id)
    select min(id)::text as first, max(id)::text as last from gone`;
  const { first = null, last = '' } = found ?? {};
  return first === null ? undefined : { first: BigInt(first), last: BigInt(last) };
}

/** Finalizes the trades in a token's pool up to a finalized slot. */
export async function finalizePoolTrades(tx: Transaction, mint: string, slot: number): Promise<void> {
  await tx.execute(
    sql`delete from unfinalized u using trade_rows t
        where u.venue = 'pool' and t.id = u.id and t.mint_id = ${idOf(sql`${mint}`)} and t.slot <= ${slot}`,
  );
}

/** Trades from an id on that are not final: those of all curves, or those in the pools of tokens. */
export type Lost =
  | { readonly venue: 'curve'; readonly firstId: bigint }
  | { readonly venue: 'pool'; readonly firstId: bigint; readonly mints: readonly string[] };

/** Deletes trades that a reorg removed. @returns them, in order */
export async function deleteTrades(tx: Transaction, lost: Lost): Promise<Trade[]> {
  const ofMints: SQL =
    lost.venue === 'curve'
      ? sql``
      : sql`and t.mint_id in (select a.id from addresses a where a.address = any(${column(lost.mints, 'text')}))`;
  const rows = await statement<TradeRow>(tx)`
    with gone as (
      delete from trade_rows t using unfinalized u
      where u.id = t.id and u.venue = ${lost.venue} and u.id >= ${String(lost.firstId)}::bigint ${ofMints} returning t.id
    ), closed as (
      delete from unfinalized u using gone where u.id = gone.id
    )
    select ${ROW} from gone join trades t on t.id = gone.id order by t.id`;
  return rows.map((row) => fromRow(row, false));
}

// Ids of records and of pool trades. Both use one sequence, so that all trades of a token have one order.

/** Namespace of an advisory lock. A transaction that takes ids commits before another one can take newer ids. */
const LOCK = 7_202;

/**
 * Waits for other transactions that book records or trades. A transaction that drops rows before it takes ids calls this
 * first. Then every transaction takes its locks in the same order: this one before those of graduations and of events.
 */
export async function lockIds(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, 0)`);
}

/** Reserves consecutive ids. @returns the first */
export async function takeIds(tx: Transaction, count: number): Promise<bigint> {
  await lockIds(tx);
  const [row] = await statement<{ last: string }>(tx)`select ${idsTake({ count })}::text as last`;
  return BigInt(row!.last) - BigInt(count) + 1n;
}
