// A job that runs on one instance at a time, the leader.
import { setTimeout as sleep } from 'node:timers/promises';
import { TimeoutError } from '@curvekit/sdk';
import { endWithin } from '../../base/call-within.js';
import { DeposedError, type Database, type Lease } from '../database.js';
import type { Logger } from '../../base/logging/logging.js';
import { Counter, type Registry } from 'prom-client';

/**
 * The work of the leader. It returns or throws when `signal` is aborted.
 *
 * @param database the job's own connections; a transaction fails once another instance leads
 * @param step runs a part of the work that waits for others, but no pause: one that takes longer than the job's limit aborts `signal`
 */
export type LeaderWork = (signal: AbortSignal, database: Database, step: Step) => Promise<void>;
export type Step = <T>(work: () => Promise<T>) => Promise<T>;

interface LeaderJobOptions {
  readonly name: string;
  readonly database: Database;
  readonly logger: Logger;
  readonly work: LeaderWork;
  /** Pause before a restart after a failure. 1,000 ms by default. */
  readonly retryMs?: number;
  /** For one step. 10 minutes by default, as for one statement of a job. */
  readonly limitMs?: number;
  /** How long a step may take to end. */
  readonly endingMs?: number;
}

const LIMIT_MS = 600_000;

/** Runs the work while this instance leads, and restarts it after a failure. */
export function leaderJob({
  name,
  database,
  logger,
  work,
  retryMs = 1_000,
  limitMs = LIMIT_MS,
  endingMs,
}: LeaderJobOptions): Job {
  const { leadership } = database;
  let overruns = 0;

  async function run(stopping: AbortSignal): Promise<void> {
    leadership.join((error) =>
      logger.error(
        { err: error },
        'choosing the instance that runs the jobs failed; none runs until the database answers',
      ),
    );
    try {
      for (;;) {
        const lease = await leadership.lease(stopping);
        if (lease === undefined) return;
        await lead(lease, stopping);
        await sleep(retryMs, undefined, { signal: stopping }).catch(() => undefined);
      }
    } finally {
      await leadership.leave();
    }
  }

  async function lead(lease: Lease, stopping: AbortSignal): Promise<void> {
    logger.info({ job: name }, 'leading');
    const late = new AbortController();
    const signal = AbortSignal.any([stopping, lease.lost, late.signal]);
    const step: Step = async (part) => {
      const timer = setTimeout(
        () => late.abort(new TimeoutError(`a step takes longer than ${limitMs / 1_000} s`)),
        limitMs,
      );
      try {
        return await part();
      } finally {
        clearTimeout(timer);
      }
    };
    const working = work(signal, database.on('jobs', lease), step).catch((error: unknown) => {
      if (signal.aborted || error instanceof DeposedError) return;
      logger.error(
        { err: error, job: name },
        'the job failed and starts over. If that repeats, run `curvekit doctor`',
      );
    });
    try {
      await endWithin(working, signal, endingMs);
      late.signal.throwIfAborted();
    } catch (error) {
      overruns += 1;
      logger.error(
        { err: error, job: name },
        'the job took too long and is given up; it starts over. `err` says how long, the lines before it what it waited for',
      );
      // A step that comes back can then write nothing: the next lease has another token.
      if (error !== late.signal.reason) await lease.release();
    }
  }

  return {
    ...startedOnce(name, run),
    get overruns() {
      return overruns;
    },
  };
}

/** A job that runs on every instance, until `signal` is aborted. */
export function startedOnce(name: string, run: (signal: AbortSignal) => Promise<unknown>): Job {
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  return {
    name,
    start: () => {
      running ??= run(stopping.signal);
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

export interface Job {
  readonly name: string;
  /** How often a step took longer than its limit, or went on after it was told to end. */
  readonly overruns?: number;
  /** Starts the work and returns at once. */
  start(): void;
  /** Stops after the current step, or without it when that takes too long. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * A job that takes its turn at an interval.
 *
 * @param turn may return another pause than `pauseMs`, in milliseconds
 */
export function repeatedJob(
  name: string,
  { database, logger }: Pick<LeaderJobOptions, 'database' | 'logger'>,
  pauseMs: number,
  turn: (database: Database, step: Step, signal: AbortSignal) => Promise<number | undefined | void>,
): Job {
  return leaderJob({
    name,
    database,
    logger,
    work: async (signal, leading, step) => {
      while (!signal.aborted) {
        const pause = await turn(leading, step, signal);
        await sleep(pause ?? pauseMs, undefined, { signal });
      }
    },
  });
}

/** Counts the steps of the jobs that took too long. */
export function countOverruns(jobs: readonly Job[], registry: Registry): void {
  new Counter({
    name: 'curvekit_job_overruns_total',
    help: 'Steps of a job that took longer than its limit, or did not end when the job was told to, by job',
    labelNames: ['job'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, overruns = 0 } of jobs) this.inc({ job: name }, overruns);
    },
  });
}
