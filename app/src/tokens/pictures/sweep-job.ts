import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.js';
import { leaderJob, type Job } from '../../db/jobs/leader-job.js';
import type { Library } from './library.js';

const INTERVAL_MS = 600_000;

/** Removes files that no token uses. */
export function createSweeper(
  library: Library,
  { database, logger }: Pick<Context, 'database' | 'logger'>,
): Job {
  return leaderJob({
    name: 'unused-files',
    database,
    logger,
    work: async (signal, leading, step) => {
      while (!signal.aborted) {
        while ((await step(() => library.sweep(leading))) > 0) signal.throwIfAborted();
        await sleep(INTERVAL_MS, undefined, { signal });
      }
    },
  });
}
