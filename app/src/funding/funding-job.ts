// Moves fees to the treasury to back referral rewards. Runs on the leader.
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter, Gauge } from 'prom-client';
import type { Context } from '../context.js';
import type { Job } from '../jobs/job.js';
import { leaderJob } from '../jobs/leader-job.js';
import type { Database } from '../db/database.js';
import { fundReferrals, type Funding } from './fund-referrals.js';
import { sweepForReferrals } from './sweep-for-referrals.js';
import { unfundedReferrals } from './unfunded.js';

const DEFAULT_INTERVAL_MS = 5_000;

export interface FundingJobOptions {
  /** How often to check for unfunded rewards. 5,000 ms by default. */
  readonly intervalMs?: number;
}

/**
 * Moves fees to the treasury as referral rewards are credited. Undefined when no configured key can do so. Other transfers
 * from the fee receiver to the treasury are booked when they are found on chain.
 */
export function createFundingJob(
  context: Context,
  { intervalMs = DEFAULT_INTERVAL_MS }: FundingJobOptions = {},
): Job | undefined {
  const { database, logger, metrics } = context;
  const registers = [metrics.registry];
  // Every instance reads the gauge from the database.
  const unfunded = new Gauge({
    name: 'curvekit_referrals_unfunded_lamports',
    help: 'Referral rewards credited whose fees are not in the treasury: they cannot be claimed yet',
    registers,
    collect: async () => {
      await unfundedReferrals(database.queries).then(
        (lamports) => unfunded.set(Number(lamports)),
        () => unfunded.set(NaN),
      );
    },
  });
  const step = stepOf(context);
  if (step === undefined) return undefined;
  const movedTotal = new Counter({
    name: 'curvekit_referrals_funded_lamports_total',
    help: 'Lamports of fees moved to the treasury for referral rewards',
    registers,
  });
  return leaderJob({
    name: 'funding',
    database,
    logger,
    work: async (signal, leading) => {
      let said: string | undefined;
      while (!signal.aborted) {
        const { moved, problem } = await step(leading, signal);
        if (moved > 0n) {
          movedTotal.inc(Number(moved));
          logger.info({ lamports: String(moved) }, 'fees were moved to the treasury for referral rewards');
        }
        if (problem !== undefined && said === undefined)
          logger.warn({ problem }, 'referral rewards wait for fees');
        said = problem;
        await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
      }
    },
    retryMs: intervalMs,
  });
}

type Step = (database: Database, signal: AbortSignal) => Promise<Funding>;

/** Undefined when no configured key may move fees to the treasury. */
function stepOf(context: Context): Step | undefined {
  const { feeReceiver, admin, treasury } = context.config;
  if (treasury === undefined) return undefined;
  if (feeReceiver !== undefined) {
    const keys = { feeReceiver, treasury: treasury.publicKey };
    return (database, signal) => fundReferrals({ ...context, database }, keys, signal);
  }
  if (admin === undefined || !treasury.publicKey.equals(context.deployment.graduation.treasury))
    return undefined;
  return (database) => sweepForReferrals({ ...context, database }, admin);
}
