// Candles. Intervals of a minute or more come from the minute table, shorter ones from the newest trades.
import { sql } from 'drizzle-orm';
import type { Executor } from '../../db/database.js';
import { preparedRows } from '../../db/prepared.js';
import { idOf } from '../../trades/trade.js';
import { CAP, mergedCandles, MINUTE, TRADE_CANDLE } from '../books/sql.js';

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
          select * from (${mergedCandles(
            'start',
            sql`select minute as at, ${startOf('minute', interval)}, open, high, low, close, volume, trades from candles
                where mint = ${mint} ${before} order by minute desc limit ${minutes}`,
          )}) all_candles order by all_candles.start desc limit ${limit}
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
          select id, ${startOf('timestamp', interval)}, ${CAP} as cap, sol_amount
          from trades where mint_id = ${idOf(sql`${mint}`)} ${before} order by id desc limit ${NEWEST_TRADES + 1}
        ), first as (
          select ${CAP} as price from (
            select initial_virtual_sol as virtual_sol, initial_virtual_token as virtual_token from tokens where mint = ${mint}
          ) created
        ), priced as (
          select *, coalesce(lag(cap) over (order by id), (select price from first)) as before from newest
        )
        select ${COLUMNS} from (
          select * from (${mergedCandles('start', sql`select start, ${TRADE_CANDLE} from priced`)}) all_candles
          where (select count(*) from newest) <= ${NEWEST_TRADES} or start > (select min(start) from newest)
          order by all_candles.start desc limit ${limit}
        ) candles order by candles.start`,
  );
  return rows.map(candleOf);
}

/** The start of the interval of a time, as a column. */
function startOf(time: string, interval: number) {
  return sql.raw(`${time} - ${time} % ${interval} as start`);
}

/** The first start of a candle at or after a time. */
function nextStart(time: number, interval: number): number {
  return Math.ceil(time / interval) * interval;
}

function candleOf({ start, open, high, low, close, volume, trades }: CandleRow): Candle {
  return [Number(start), open, high, low, close, volume, Number(trades)];
}
