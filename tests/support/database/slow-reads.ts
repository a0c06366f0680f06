import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#app/db/database.js';

/** The database, whose answers outside of transactions arrive late: what they say can have changed by then. */
export function withSlowReads(database: Database, ms: number): Database {
  const { queries } = database;
  const slow = Object.create(queries) as typeof queries;
  slow.execute = (async (...asked: Parameters<typeof queries.execute>) => {
    const rows = await queries.execute(...asked);
    await sleep(ms);
    return rows;
  }) as unknown as typeof queries.execute;
  return { ...database, queries: slow };
}
