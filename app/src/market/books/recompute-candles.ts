// Computes candles again from the stored trades.
import { sql, type SQL } from 'drizzle-orm';
import { unnestable } from '../../db/statements.js';
import { statement, type Transaction } from '../../db/database.js';
import { COLUMNS, idOf, type Trade } from '../../index/trades/trade.js';
import { CAP, mergedCandles, MINUTE_OF_TRADE, startOf, TRADE_CANDLE, type CandleTable } from './sql.js';

interface Recomputed {
  /** Whether the trades are stored. If not, a reorg has removed them: then only candles that exist are computed again. */
  readonly areStored: boolean;
  /** Later trades are not in the table. */
  readonly until?: number;
}

/**
 * Recomputes the candles that contain these trades: first of minutes, then of the table. No stored trade of such a candle is older than
 * its first trade and these trades.
 */
export async function recomputeCandles(
  tx: Transaction,
  of: CandleTable,
  trades: readonly Trade[],
  { areStored, until }: Recomputed,
): Promise<void> {
  const { id, mint, timestamp } = COLUMNS;
  const [table, key] = [sql.raw(of.table), sql.raw(of.start)];
  const rows = await statement<{ mint: string; start: string; first: string }>(tx)`
    with changed as (
      select mint, ${startOf(of)} as start, id from unnest(${unnestable(trades, { id, mint, timestamp })}) as t (id, mint, timestamp)
    ), gone as (
      delete from ${table} c using changed where c.mint = changed.mint and c.${key} = changed.start
      returning c.mint, c.${key} as start, c.first_id as id
    )
    select mint, start::text as start, min(id)::text as first from (
      select * from gone ${areStored ? sql`union all select c.* from changed c join market_tokens m on m.mint = c.mint` : sql``}
    ) keys group by mint, start`;
  const keys = unnestable(rows, {
    mint: ['text', ({ mint }) => mint],
    start: ['bigint', ({ start }) => start],
    first: ['bigint', ({ first }) => first],
  });
  const minutes = mergedCandles(
    'mint, start, minute',
    sql`select mint, start, minute, ${TRADE_CANDLE} from (
          select t.*, coalesce(lag(cap) over (partition by mint, minute order by id), (
              select price from ${priceBefore(sql`t.mint`, sql`t.id`)} p
            )) as before
          from (
            select k.mint, k.start, ${MINUTE_OF_TRADE} as minute, all_trades.id, ${CAP} as cap, all_trades.sol_amount
            from (
                select ${idOf(sql`keys.mint`)} as mint_id, keys.* from unnest(${keys}) as keys (mint, start, first)
              ) k join trades all_trades
              on all_trades.mint_id = k.mint_id and all_trades.id >= k.first and ${startOf(of)} = k.start
              ${until === undefined ? sql`` : sql`and timestamp < ${until}`}
          ) t
        ) stored`,
  );
  await tx.execute(sql`
    insert into ${table} (mint, ${key}, first_id, open, high, low, close, volume, trades)
    ${mergedCandles('mint, start', sql`select mint, start, first_id as at, open, high, low, close, volume, trades from (${minutes}) minutes`)}
  `);
}

/** SQL subquery: a token's newest price before an id, and its time. Without a trade, the price at its creation. */
export function priceBefore(mint: SQL, id: SQL): SQL {
  return sql`(
    select id, virtual_sol, virtual_token, ${CAP} as price from (
      (select id, virtual_sol, virtual_token from trades where trades.mint_id = ${idOf(mint)} and trades.id < ${id}
        order by trades.id desc limit 1)
      union all select record_id, pool_sol, pool_token from graduations g where g.mint = ${mint} and record_id < ${id}
      union all select record_id, initial_virtual_sol, initial_virtual_token from tokens where tokens.mint = ${mint}
    ) prices order by id desc limit 1)`;
}
