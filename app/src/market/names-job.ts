import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.js';
import { leaderJob, type Job } from '../db/jobs/leader-job.js';
import { foldNames } from './books/names.js';

const INTERVAL_MS = 60 * 60_000;

/** Folds the names that an earlier version has not, or has folded by another table. */
export function createNamesJob({ database, logger }: Pick<Context, 'database' | 'logger'>): Job {
  return leaderJob({
    name: 'token-names',
    database,
    logger,
    work: async (signal, leading, step) => {
      while (!signal.aborted) {
        let after: string | undefined = '0';
        while (after !== undefined && !signal.aborted) {
          const from: string = after;
          after = await step(() => leading.transaction((tx) => foldNames(tx, from)));
        }
        await sleep(INTERVAL_MS, undefined, { signal });
      }
    },
  });
}
