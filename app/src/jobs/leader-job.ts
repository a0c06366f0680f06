// A job that runs on one instance at a time, the leader.
import { setTimeout as sleep } from 'node:timers/promises';
import { DeposedError, type Database, type Lease } from '../db/database.js';
import type { Logger } from '../logging/logging.js';
import type { Job } from './job.js';

/**
 * The work of the leader. It returns or throws when `signal` is aborted.
 *
 * @param database the job's own connections; a transaction fails once another instance leads
 */
export type LeaderWork = (signal: AbortSignal, database: Database) => Promise<void>;

export interface LeaderJobOptions {
  readonly name: string;
  readonly database: Database;
  readonly logger: Logger;
  readonly work: LeaderWork;
  /** Pause before a restart after a failure. 1,000 ms by default. */
  readonly retryMs?: number;
}

/** Runs the work while this instance leads, and restarts it after a failure. */
export function leaderJob({ name, database, logger, work, retryMs = 1_000 }: LeaderJobOptions): Job {
  const { leadership } = database;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    leadership.join((error) =>
      logger.error(
        { err: error },
        'choosing the instance that runs the jobs failed; none runs until the database answers',
      ),
    );
    try {
      for (;;) {
        const lease = await leadership.lease(stopping.signal);
        if (lease === undefined) return;
        await lead(lease);
        await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    } finally {
      await leadership.leave();
    }
  }

  async function lead(lease: Lease): Promise<void> {
    logger.info({ job: name }, 'leading');
    const signal = AbortSignal.any([stopping.signal, lease.lost]);
    try {
      await work(signal, database.on('jobs', lease));
    } catch (error) {
      if (signal.aborted || error instanceof DeposedError) return;
      logger.error(
        { err: error, job: name },
        'the job failed and starts over. If that repeats, run `curvekit doctor`',
      );
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
