// Candles. Intervals of a day come from the table of days, of hours from that of hours, and both from the minutes that are not rolled
// up yet. Shorter intervals come from minutes, and those of less than a minute from the newest trades.
import { sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../db/database.js';
import { preparedRows } from '../../db/statements.js';
import { idOf } from '../../index/trades/trade.js';
import { CAP, DAYS, HOURS, mergedCandles, MINUTE, startOf, TRADE_CANDLE } from '../books/sql.js';

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
  return query.interval < MINUTE ? ofTrades(db, query) : ofTables(db, query);
}

type CandleRow = Readonly<Record<'start' | 'open' | 'high' | 'low' | 'close' | 'volume' | 'trades', string>>;

const COLUMNS =
  sql.raw(`start::text as start, open::text as open, high::text as high, low::text as low, close::text as close,
  volume::text as volume, trades::text as trades`);

async function ofTables(db: Executor, { mint, interval, to, limit }: CandlesQuery): Promise<Candle[]> {
  const before = (key: SQL) =>
    to === undefined ? sql`` : sql`and ${key} < ${nextStart(to, interval)}::bigint`;
  /** The newest candles of a table, as parts of these. A candle has at most `interval / seconds` of them. */
  const newest = (table: SQL, key: SQL, start: SQL, seconds: number, from: SQL) =>
    sql`(select ${key} as at, ${start} as start, open, high, low, close, volume, trades from ${table}
      where mint = ${mint} ${from} ${before(key)} order by ${key} desc limit ${limit * (interval / seconds)})`;
  const startOfThese = (column: string) => startOf({ seconds: interval }, column);
  const minutes = (from: SQL) =>
    newest(sql`candles`, sql`minute`, startOfThese('minute'), MINUTE, sql`and minute >= (${from})`);
  const rolled =
    interval % DAYS.seconds === 0
      ? newest(sql`candle_days`, sql`day`, startOfThese('day'), DAYS.seconds, sql``)
      : newest(sql`candle_hours`, sql`hour`, startOfThese('hour'), HOURS.seconds, sql``);
  const parts =
    interval < HOURS.seconds
      ? minutes(sql`select minutes_from from market_state`)
      : sql`${rolled} union all ${minutes(sql`select rolled_to from market_state`)}`;
  const rows = await preparedRows<CandleRow>(
    db,
    sql`select ${COLUMNS} from (
          select * from (${mergedCandles('start', parts)}) all_candles order by all_candles.start desc limit ${limit}
        ) newest order by newest.start`,
  );
  return rows.map(candleOf);
}

/** Omits the oldest candle if some of its trades were not read. */
async function ofTrades(db: Executor, { mint, interval, to, limit }: CandlesQuery): Promise<Candle[]> {
  const end = nextStart(to ?? 0, interval);
  const later = nextStart(end, MINUTE);
  // Finds the last trade before `to` through the minutes, and through the hours where minutes are deleted, without reading newer trades.
  const before =
    to === undefined
      ? sql``
      : sql`and timestamp < ${end}::bigint and id < coalesce((
            select min(first_id) from (
              (select first_id from candles where mint = ${mint} and minute >= ${later}::bigint order by minute limit 1)
              union all (select first_id from candle_hours where mint = ${mint} and hour >= ${later}::bigint order by hour limit 1)
            ) later_candles
          ), 9223372036854775807)`;
  const rows = await preparedRows<CandleRow>(
    db,
    sql`with newest as (
          select id, ${startOf({ seconds: interval })} as start, ${CAP} as cap, sol_amount
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

/** The first start of a candle at or after a time. */
function nextStart(time: number, interval: number): number {
  return Math.ceil(time / interval) * interval;
}

function candleOf({ start, open, high, low, close, volume, trades }: CandleRow): Candle {
  return [Number(start), open, high, low, close, volume, Number(trades)];
}
