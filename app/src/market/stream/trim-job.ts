import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Context } from '../../context.js';
import { rowsOf, type Database } from '../../db/database.js';
import { leaderJob, type Job } from '../../db/jobs/leader-job.js';

const INTERVAL_MS = 60_000;
const MOST_EVENTS = 100_000;
const AT_ONCE = 10_000;

/** Removes events that are too old to resume from. */
export function createEventTrimmer({ database, logger }: Pick<Context, 'database' | 'logger'>): Job {
  return leaderJob({
    name: 'market-events',
    database,
    logger,
    work: async (signal, leading, step) => {
      while (!signal.aborted) {
        await step(() => trimEvents(leading));
        await sleep(INTERVAL_MS, undefined, { signal });
      }
    },
  });
}

/** Keeps the newest event, so that the last used id is known. Ids have the order of time, so it reads only what it deletes. */
export async function trimEvents(database: Database, most = MOST_EVENTS): Promise<void> {
  while ((await trimSome(database, most)) === AT_ONCE);
}

function trimSome(database: Database, most: number): Promise<number> {
  return database.transaction(async (tx) => {
    const deleted = await rowsOf(
      tx,
      sql`delete from market_events where id in (
            select oldest.id from (select id, at from market_events order by id limit ${AT_ONCE}) oldest,
              (select max(id) as id from market_events) newest
            where oldest.id < newest.id and (at < now() - interval '1 hour' or oldest.id <= newest.id - ${most}::bigint)
          ) returning id`,
    );
    return deleted.length;
  });
}
