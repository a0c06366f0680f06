import type { Context } from '../../context.js';
import { statement, type Database } from '../../db/database.js';
import { repeatedJob, type Job } from '../../db/jobs/leader-job.js';

const INTERVAL_MS = 60_000;
const MOST_EVENTS = 100_000;
const AT_ONCE = 10_000;

/** Removes events that are too old to resume from. */
export const createEventTrimmer = (context: Context): Job =>
  repeatedJob('market-events', context, INTERVAL_MS, (leading, step) => step(() => trimEvents(leading)));

/** Keeps the newest event, so that the last used id is known. Ids have the order of time, so it reads only what it deletes. */
export async function trimEvents(database: Database, most = MOST_EVENTS): Promise<void> {
  while ((await trimSome(database, most)) === AT_ONCE);
}

function trimSome(database: Database, most: number): Promise<number> {
  return database.transaction(async (tx) => {
    const deleted = await statement(tx)`
      delete from market_events where id in (
        select oldest.id from (select id, at from market_events order by id limit ${AT_ONCE}) oldest,
          (select max(id) as id from market_events) newest
        where oldest.id < newest.id and (at < now() - interval '1 hour' or oldest.id <= newest.id - ${most}::bigint)
      ) returning id`;
    return deleted.length;
  });
}
