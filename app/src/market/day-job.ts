// Keeps the figures of the last 24 hours: the leader subtracts the volume of lapsed minutes and stores the price before
// them.
import { sql } from 'drizzle-orm';
import type { Context } from '../context.js';
import type { Database } from '../db/database.js';
import { repeatedJob, type Job } from '../db/jobs/leader-job.js';
import { MINUTE } from './books/sql.js';
import { marketState } from './books/state.js';
import { ClusterClock } from './config.js';

const INTERVAL_MS = 60_000;
/** Delay after the RPC node did not return the time. */
const RETRY_MS = 5_000;
const DAY = 86_400;

/** A job that subtracts lapsed minutes, on one instance at a time. */
export function createDayJob({ database, connection, logger }: Context): Job {
  const clock = new ClusterClock(connection);
  return repeatedJob('market-day', { database, logger }, INTERVAL_MS, async (leading, step) => {
    const now = await step(() => clock.now()).catch((error: unknown) => {
      logger.warn(
        { err: error },
        "the cluster's clock cannot be read: volumes of 24 hours wait. If that lasts, check RPC_URL",
      );
      return undefined;
    });
    if (now === undefined) return RETRY_MS;
    return step(() => expireDay(leading, now));
  });
}

/** Subtracts minutes that began at least 24 hours ago. @param now Unix seconds of the cluster's clock */
export async function expireDay(database: Database, now: number): Promise<void> {
  const to = Math.max(0, now - (now % MINUTE) - DAY);
  await database.transaction(async (tx) => {
    // Blocks concurrent bookings of trades.
    const { lapsedTo: from } = await marketState(tx, 'update');
    if (to <= from) return;
    await tx.execute(sql`
      update market_tokens m set day_volume = m.day_volume - old.volume, day_open = old.close
      from (
        select mint, sum(volume) as volume, (array_agg(close order by minute desc))[1] as close
        from candles where minute >= ${from}::bigint and minute < ${to}::bigint group by mint
      ) old where m.mint = old.mint
    `);
    await tx.execute(sql`update market_state set lapsed_to = ${to}::bigint where id = 1`);
  });
}
