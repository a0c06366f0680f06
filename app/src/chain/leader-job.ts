// A job that one instance does at a time: the one that holds its lease.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Lease } from '../db/database.js';
import type { Logger } from '../logging.js';
import type { Job } from './job.js';

/** What the leader does. It returns or throws when `signal` is aborted. */
export type LeaderWork = (signal: AbortSignal) => Promise<void>;

export interface LeaderJobOptions {
  readonly name: string;
  readonly database: Database;
  readonly logger: Logger;
  readonly work: LeaderWork;
  /** How long to wait before trying to lead again, or after a failure. 1,000 ms by default. */
  readonly retryMs?: number;
}

/** Does the work while this instance leads; waits its turn otherwise; starts over after a failure. */
export function leaderJob({ name, database, logger, work, retryMs = 1_000 }: LeaderJobOptions): Job {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const lease = await database.tryLead(name);
        if (lease !== undefined) await lead(lease);
      } catch (error) {
        if (!stopping.signal.aborted)
          logger.error({ err: error, job: name }, 'the job failed and starts over');
      }
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function lead(lease: Lease): Promise<void> {
    logger.info({ job: name }, 'leading');
    try {
      await work(AbortSignal.any([stopping.signal, lease.lost]));
    } finally {
      await lease.release();
    }
  }

  return {
    name,
    start: () => {
      running ??= run();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
