// The job that tracks claims until they land, fail or expire. It runs on one instance at a time.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.js';
import type { Database } from '../db/database.js';
import { leaderJob, type Job } from '../db/jobs/leader-job.js';
import { foldTotals } from '../ledger/post.js';
import type { Logger } from '../base/logging/logging.js';
import { Reconciler, createClaimMetrics } from './reconciler.js';
import { ClaimsRepository } from './repository.js';

export interface ReconcilerJobOptions {
  /** How often to check claims in progress. 1,000 ms by default. */
  readonly intervalMs?: number;
  /** How often to check that no expired claim was paid after all. 10 minutes by default. */
  readonly auditIntervalMs?: number;
  /** Cleanup, as often as the audit. */
  readonly tidy?: (database: Database) => Promise<void>;
}

const DEFAULT_INTERVAL_MS = 1_000;
const DEFAULT_AUDIT_INTERVAL_MS = 600_000;
/** Delay after an audit or a cleanup that failed. */
const RETRY_MS = 30_000;

/** Moves claims from `IN_PROGRESS` to their final state, on one instance at a time. */
export function createReconciler(context: Context, options: ReconcilerJobOptions): Job {
  const { intervalMs = DEFAULT_INTERVAL_MS, auditIntervalMs = DEFAULT_AUDIT_INTERVAL_MS, tidy } = options;
  const { logger, now } = context;
  const metrics = createClaimMetrics(context);
  return leaderJob({
    name: 'reconciler',
    database: context.database,
    logger,
    work: async (signal, database, step) => {
      const reconciler = new Reconciler(context, { repository: new ClaimsRepository(database), metrics });
      // A failing task does not stop the others.
      const pass = reportingOutages(logger, 'following claims', () => reconciler.pass(signal));
      const fold = reportingOutages(logger, 'folding totals', () => database.transaction(foldTotals));
      const rare = [
        { run: reportingOutages(logger, 'auditing expired claims', () => reconciler.audit()), at: now() },
        { run: reportingOutages(logger, 'tidying up', async () => tidy?.(database)), at: now() },
      ];
      try {
        while (!signal.aborted) {
          await step(pass);
          await step(fold);
          for (const task of rare) {
            if (signal.aborted || now() < task.at) continue;
            const done = await step(task.run);
            task.at = now() + (done ? auditIntervalMs : Math.min(RETRY_MS, auditIntervalMs));
          }
          await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
        }
      } finally {
        // The next leader reports its own value.
        metrics.undecidable.set(0);
      }
    },
  });
}

/** Runs work that may fail. Logs one line when failures begin, because an RPC node can be down for an hour. */
function reportingOutages(logger: Logger, task: string, work: () => Promise<void>): () => Promise<boolean> {
  let failing = false;
  return async () => {
    try {
      await work();
      if (failing) logger.info({ task }, 'the task works again');
      failing = false;
    } catch (error) {
      if (!failing)
        logger.error(
          { err: error, task },
          'the task failed and is tried again every few seconds. If that lasts, run `curvekit doctor`',
        );
      failing = true;
    }
    return !failing;
  };
}
