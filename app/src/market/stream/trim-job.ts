import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Context } from '../../context.js';
import type { Database } from '../../db/database.js';
import type { Job } from '../../jobs/job.js';
import { leaderJob } from '../../jobs/leader-job.js';

const INTERVAL_MS = 60_000;
const MOST_EVENTS = 100_000;

/** Removes events that are too old to resume from. */
export function createEventTrimmer({ database, logger }: Pick<Context, 'database' | 'logger'>): Job {
  return leaderJob({
    name: 'market-events',
    database,
    logger,
    work: async (signal, leading) => {
      while (!signal.aborted) {
        await trimEvents(leading);
        await sleep(INTERVAL_MS, undefined, { signal });
      }
    },
  });
}

/** Keeps the newest event, so that the last used id is known. */
export async function trimEvents(database: Database, most = MOST_EVENTS): Promise<void> {
  await database.transaction((tx) =>
    tx.execute(sql`
      delete from market_events using (select max(id) as id from market_events) newest
      where market_events.id < newest.id and (at < now() - interval '1 hour' or market_events.id <= newest.id - ${most}::bigint)
    `),
  );
}
