// The rules of the market's figures, each once, as SQL.
import { TOKEN_SUPPLY } from '@curvekit/sdk';
import { sql, type SQL } from 'drizzle-orm';

export const MINUTE = 60;

/** Lamports for an amount of tokens at the price of reserves, rounded down. 0 for an empty pool, which has no price. */
export function worthOf(amount: string, virtualSol: string, virtualToken: string): string {
  return `coalesce(div(${amount} * ${virtualSol}, nullif(${virtualToken}, 0)), 0)`;
}

/** Market cap in lamports, from a row with reserves: the supply at their price. */
export const CAP = sql.raw(worthOf(String(TOKEN_SUPPLY), 'virtual_sol', 'virtual_token'));

/** A table of candles: the column of their start, and their length in seconds. */
export interface CandleTable {
  readonly table: string;
  readonly start: string;
  readonly seconds: number;
}

export const MINUTES: CandleTable = { table: 'candles', start: 'minute', seconds: MINUTE };
export const HOURS: CandleTable = { table: 'candle_hours', start: 'hour', seconds: 3_600 };
export const DAYS: CandleTable = { table: 'candle_days', start: 'day', seconds: 86_400 };
/** The tables that minutes are rolled up to. */
export const ROLLED = [HOURS, DAYS] as const;

/** Start of the candle that has a row's time, in Unix seconds. */
export function startOf({ seconds }: Pick<CandleTable, 'seconds'>, time = 'timestamp'): SQL {
  return sql.raw(`${time} - ${time} % ${seconds}`);
}

/** Start of the minute of a row's timestamp, in Unix seconds. */
export const MINUTE_OF_TRADE = startOf(MINUTES);

/** A trade as the smallest candle, from a row with its `id`, `cap`, `sol_amount` and the price `before` it. */
export const TRADE_CANDLE = sql.raw(
  'id as at, before as open, cap as high, cap as low, cap as close, sol_amount as volume, 1 as trades',
);

/**
 * The one rule for candles: merges smaller candles into one for each key. `at` is their order. A candle opens at the price before
 * its first trade, which also counts for its high and low.
 *
 * @param keys columns of `parts`
 */
export function mergedCandles(keys: string, parts: SQL): SQL {
  const by = sql.raw(keys);
  return sql`
    select ${by}, first_id, open, greatest(high, open) as high, least(low, open) as low, close, volume, trades from (
      select ${by}, min(at) as first_id, (array_agg(open order by at))[1] as open, max(high) as high, min(low) as low,
        (array_agg(close order by at desc))[1] as close, sum(volume) as volume, sum(trades)::integer as trades
      from (${parts}) parts group by ${by}
    ) merged`;
}

/**
 * SQL statement: adds candles to those of a table, at whose start there may be one. Each is looked up in the index, also while the
 * planner does not know how many there are.
 *
 * @param parts with the mint, the start, `at` and the values of each; they come after those in the table
 */
export function mergeInto({ table, start }: CandleTable, parts: SQL): SQL {
  const [into, key] = [sql.raw(table), sql.raw(start)];
  return sql`
    insert into ${into} (mint, ${key}, first_id, open, high, low, close, volume, trades)
    with parts as (${parts})
    ${mergedCandles(
      `mint, ${start}`,
      sql`select * from parts
          union all select k.mint, k.${key}, c.* from (select distinct mint, ${key} from parts) k cross join lateral (
            select first_id, open, high, low, close, volume, trades from ${into} c
            where c.mint = k.mint and c.${key} = k.${key} limit 1
          ) c`,
    )}
    on conflict (mint, ${key}) do update set first_id = excluded.first_id, open = excluded.open, high = excluded.high,
      low = excluded.low, close = excluded.close, volume = excluded.volume, trades = excluded.trades`;
}
