// Rolls candles of minutes up to hours and days, and deletes those of old minutes. See docs/decisions/market.md.
import { sql } from 'drizzle-orm';
import { rowsOf, statement, type Database, type Transaction } from '../../db/database.js';
import { DAYS, mergeInto, MINUTE_OF_TRADE, ROLLED, startOf } from './sql.js';
import { marketState } from './state.js';
import type { Context } from '../../context.js';
import { repeatedJob, type Job } from '../../db/jobs/leader-job.js';
import { measure } from '../../base/metrics.js';

/** Seconds of trades in one transaction, for which bookings wait. Each changes the hours and days of its tokens once. */
const SLICE = 900;
const MOST_DELETED = 10_000;

export async function rollUp(database: Database, signal: AbortSignal): Promise<void> {
  while (await database.transaction(rollSlice)) signal.throwIfAborted();
}

/** @returns whether there may be more */
async function rollSlice(tx: Transaction): Promise<boolean> {
  // Blocks concurrent bookings of trades.
  const { rolledTo } = await marketState(tx, 'update');
  const [row] = await rowsOf<{ next: string | null; final: string | null }>(
    tx,
    // Trades of the newest minute are still stored. While the index reads an old history, its newest trade is old, too.
    sql`select (select min(minute) from candles where minute >= ${rolledTo}::bigint)::text as next, least(
          (select ${MINUTE_OF_TRADE} from trades order by id desc limit 1),
          (select min(${MINUTE_OF_TRADE}) from unfinalized u join trades t on t.id = u.id)
        )::text as final`,
  );
  if (row?.next === undefined || row.next === null) return false;
  const to = Number(row.next) - (Number(row.next) % SLICE) + SLICE;
  if (to > Number(row.final)) return false;
  for (const table of ROLLED) {
    const minutes = sql`select mint, ${startOf(table, 'minute')} as ${sql.raw(table.start)}, first_id as at, open, high, low, close, volume, trades
      from candles where minute >= ${rolledTo}::bigint and minute < ${to}::bigint`;
    await tx.execute(mergeInto(table, minutes));
  }
  await tx.execute(sql`update market_state set rolled_to = ${to}::bigint where id = 1`);
  return true;
}

/** Deletes candles of minutes that are older than so many days at the newest trade, when they are rolled up. */
export async function deleteMinutes(database: Database, days: number, signal: AbortSignal): Promise<void> {
  const before = await database.transaction(async (tx) => {
    const { lapsedTo, rolledTo, minutesFrom } = await marketState(tx, 'update');
    const [newest] = await statement<{ at: string }>(tx)`
      select timestamp::text as at from trades order by id desc limit 1`;
    const old = Number(newest?.at ?? 0) - days * DAYS.seconds;
    // The job of the last 24 hours reads minutes, too.
    const to = Math.min(old - (old % DAYS.seconds), lapsedTo, rolledTo);
    if (to <= minutesFrom) return minutesFrom;
    await tx.execute(sql`update market_state set minutes_from = ${to}::bigint where id = 1`);
    return to;
  });
  for (let deleted = MOST_DELETED; deleted === MOST_DELETED;) {
    signal.throwIfAborted();
    const rows = await database.transaction(
      (tx) =>
        statement(tx)`
        delete from candles where ctid = any(array(
          select ctid from candles where minute < ${before}::bigint limit ${MOST_DELETED}
        )) returning 1 as one`,
    );
    deleted = rows.length;
  }
}

const INTERVAL_MS = 60_000;

/** A job that rolls candles of minutes up to hours and days, and deletes old ones, on one instance at a time. */
export function createCandlesJob({ database, config, logger, metrics }: Context): Job {
  measure(
    metrics.registry,
    'curvekit_candles_behind_seconds',
    'Time from the last trade in the candles of hours and days until the newest trade: a few minutes, or the charts read more rows',
    async () => {
      const [row] = await statement<{ seconds: string }>(database.queries)`
        select coalesce((select timestamp from trades order by id desc limit 1)
          - (select minute from candles where minute >= rolled_to order by minute limit 1), 0)::text as seconds
        from market_state`;
      return row && Number(row.seconds);
    },
  );
  return repeatedJob('market-candles', { database, logger }, INTERVAL_MS, async (leading, step, signal) => {
    await step(() => rollUp(leading, signal));
    await step(() => deleteMinutes(leading, config.minuteCandlesDays, signal));
  });
}
