import type { Context } from '../context.js';
import { repeatedJob, type Job } from '../db/jobs/leader-job.js';
import { foldNames } from './books/names.js';

const INTERVAL_MS = 60 * 60_000;

/** Folds the names that an earlier version has not, or has folded by another table. */
export function createNamesJob(context: Context): Job {
  return repeatedJob('token-names', context, INTERVAL_MS, async (leading, step, signal) => {
    let after: string | undefined = '0';
    while (after !== undefined && !signal.aborted) {
      const from: string = after;
      after = await step(() => leading.transaction((tx) => foldNames(tx, from)));
    }
  });
}
