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

/** Start of the minute of a row's timestamp, in Unix seconds. */
export const MINUTE_OF_TRADE = sql.raw(`timestamp - timestamp % ${MINUTE}`);

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
