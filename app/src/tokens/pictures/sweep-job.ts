import type { Context } from '../../context.js';
import { repeatedJob, type Job } from '../../db/jobs/leader-job.js';
import type { Library } from './library.js';

const INTERVAL_MS = 600_000;

/** Removes files that no token uses. */
export const createSweeper = (library: Library, context: Pick<Context, 'database' | 'logger'>): Job =>
  repeatedJob('unused-files', context, INTERVAL_MS, async (leading, step, signal) => {
    while ((await step(() => library.sweep(leading))) > 0) signal.throwIfAborted();
  });
