// Candles. Intervals of a minute or more come from the minute table, shorter ones from the newest trades.
import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/database.js';
import { preparedRows } from '../../db/prepared.js';
import { ALL_TRADES, CAP } from '../books/sql.js';
import { MINUTE } from '../books/trade.js';

export const INTERVALS = [1, 15, 60, 300, 900, 3_600, 14_400, 86_400] as const;
export type Interval = (typeof INTERVALS)[number];

export interface CandlesQuery {
  readonly mint: string;
  /** In seconds. */
  readonly interval: Interval;
  /** Only candles that begin before this time, in Unix seconds. */
  readonly to?: number | undefined;
  readonly limit: number;
}

/** Start, open, high, low, close, volume, trades. */
export type Candle = [number, string, string, string, string, string, number];

/** Maximum trades that candles shorter than a minute are computed from. */
const NEWEST_TRADES = 10_000;

/** The newest candles with a trade, oldest first. */
export async function candlesOf(db: Executor, query: CandlesQuery): Promise<Candle[]> {
  return query.interval < MINUTE ? ofTrades(db, query) : ofMinutes(db, query);
}

type CandleRow = Readonly<Record<'start' | 'open' | 'high' | 'low' | 'close' | 'volume' | 'trades', string>>;

const COLUMNS =
  sql.raw(`start::text as start, open::text as open, high::text as high, low::text as low, close::text as close,
  volume::text as volume, trades::text as trades`);

async function ofMinutes(db: Executor, { mint, interval, to, limit }: CandlesQuery): Promise<Candle[]> {
  const before = to === undefined ? sql`` : sql`and minute < ${nextStart(to, interval)}::bigint`;
  // The maximum number of minutes in these candles.
  const minutes = limit * (interval / MINUTE);
  const rows = await preparedRows<CandleRow>(
    db,
    sql`select ${COLUMNS} from (
          select minute - minute % ${sql.raw(String(interval))} as start, (array_agg(open order by minute))[1] as open,
            max(high) as high, min(low) as low, (array_agg(close order by minute desc))[1] as close, sum(volume) as volume,
            sum(trades) as trades
          from (
            select * from candles where mint = ${mint} ${before} order by minute desc limit ${minutes}
          ) minutes group by 1 order by 1 desc limit ${limit}
        ) newest order by newest.start`,
  );
  return rows.map(candleOf);
}

/** Omits the oldest candle if some of its trades were not read. */
async function ofTrades(db: Executor, { mint, interval, to, limit }: CandlesQuery): Promise<Candle[]> {
  // Finds the last trade before `to` through the minute table, without reading newer trades.
  const before =
    to === undefined
      ? sql``
      : sql`and timestamp < ${nextStart(to, interval)}::bigint and id < coalesce((
            select first_id from candles where mint = ${mint} and minute >= ${nextStart(nextStart(to, interval), MINUTE)}::bigint
            order by minute limit 1
          ), 9223372036854775807)`;
  const rows = await preparedRows<CandleRow>(
    db,
    sql`with newest as (
          select id, timestamp - timestamp % ${sql.raw(String(interval))} as start, ${CAP} as cap, sol_amount
          from ${ALL_TRADES} all_trades where mint = ${mint} ${before} order by id desc limit ${NEWEST_TRADES + 1}
        ), prices as (
          select *, lag(cap) over (order by id) as price_before from newest
        ), first as (
          select ${CAP} as price from (
            select initial_virtual_sol as virtual_sol, initial_virtual_token as virtual_token from tokens where mint = ${mint}
          ) created
        )
        select ${COLUMNS} from (
          select start, open, greatest(high, open) as high, least(low, open) as low, close, volume, trades from (
            select start, coalesce((array_agg(price_before order by id))[1], (select price from first)) as open,
              max(cap) as high, min(cap) as low, (array_agg(cap order by id desc))[1] as close, sum(sol_amount) as volume,
              count(*) as trades
            from prices group by start
          ) seconds
          where (select count(*) from newest) <= ${NEWEST_TRADES} or start > (select min(start) from newest)
          order by start desc limit ${limit}
        ) candles order by candles.start`,
  );
  return rows.map(candleOf);
}

/** The first start of a candle at or after a time. */
function nextStart(time: number, interval: number): number {
  return Math.ceil(time / interval) * interval;
}

function candleOf({ start, open, high, low, close, volume, trades }: CandleRow): Candle {
  return [Number(start), open, high, low, close, volume, Number(trades)];
}
