// The table of trades. Ids of records and of pool trades come from one sequence, so all trades of a token have one order.
import { sql, type SQL } from 'drizzle-orm';
import { column, insertRows, unnestable } from '../db/arrays.js';
import { rowsOf, type Transaction } from '../db/database.js';
import { COLUMNS, fromRow, idOf, ROW, type Trade, type TradeRow } from './trade.js';

/** Stores trades in their order. */
export async function insertTrades(tx: Transaction, trades: readonly Trade[]): Promise<void> {
  if (trades.length === 0) return;
  await insertAddresses(
    tx,
    trades.flatMap(({ mint, trader }) => [mint, trader]),
  );
  const names = sql.raw(
    Object.keys(COLUMNS)
      .map((name) => `"${name}"`)
      .join(', '),
  );
  await tx.execute(sql`
    insert into trade_rows (id, slot, timestamp, mint_id, trader_id, "outer", "inner", is_buy, graduated, venue, signature, sol_amount,
      token_amount, fee, virtual_sol, virtual_token)
    select f.id, f.slot, f.timestamp, ${idOf(sql`f.mint`)}, ${idOf(sql`f.trader`)}, f."outer", f."inner", f.is_buy, f.graduated, f.venue,
      f.signature, f.sol_amount, f.token_amount, f.fee, f.virtual_sol, f.virtual_token
    from unnest(${unnestable(trades, COLUMNS)}) as f (${names}) order by f.id
  `);
  await addUnfinalized(
    tx,
    trades.filter(({ finalized }) => !finalized),
  );
}

/** Numbers addresses that have no number. Who calls it holds the lock of ids, so nobody else numbers them meanwhile. */
async function insertAddresses(tx: Transaction, addresses: readonly string[]): Promise<void> {
  await tx.execute(sql`
    insert into addresses (address)
    select f.address from unnest(${column([...new Set(addresses)], 'text')}) as f (address)
    where ${idOf(sql`f.address`)} is null
  `);
}

/** Marks records or trades that a reorg can still drop. */
export function addUnfinalized(
  tx: Transaction,
  items: readonly Pick<Trade, 'id' | 'venue'>[],
): Promise<void> {
  return insertRows(tx, 'unfinalized', items, {
    id: ['bigint', ({ id }) => id],
    venue: ['text', ({ venue }) => venue],
  });
}

/** Finalizes records of curves up to an id. @returns their trades */
export async function finalizeCurveTrades(tx: Transaction, lastId: bigint): Promise<Trade[]> {
  const rows = await rowsOf<TradeRow>(
    tx,
    sql`with final as (
          delete from unfinalized where venue = 'curve' and id <= ${String(lastId)}::bigint returning id
        )
        select ${ROW} from final join trades t on t.id = final.id order by t.id`,
  );
  return rows.map((row) => fromRow(row, true));
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
  const rows = await rowsOf<TradeRow>(
    tx,
    sql`with gone as (
          delete from trade_rows t using unfinalized u
          where u.id = t.id and u.venue = ${lost.venue} and u.id >= ${String(lost.firstId)}::bigint ${ofMints} returning t.id
        ), closed as (
          delete from unfinalized u using gone where u.id = gone.id
        )
        select ${ROW} from gone join trades t on t.id = gone.id order by t.id`,
  );
  return rows.map((row) => fromRow(row, false));
}
