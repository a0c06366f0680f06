// Backs referral and volume rewards with fees: moves them to the treasury, or uses fees that are there already. Runs on the leader.
import { setTimeout as sleep } from 'node:timers/promises';
import { Counter } from 'prom-client';
import type { Context } from '../../context.js';
import { leaderJob, type Job } from '../../db/jobs/leader-job.js';
import { DeposedError, type Database } from '../../db/database.js';
import { coverFromSurplus, unfundedRewards } from '../../claims/cover.js';
import { fundReferrals, type Funding, LEAST_MOVED } from './fund-referrals.js';
import { shownMessage } from '../../base/logging/logged-error.js';
import { always, Tasks } from '../../db/retries/tasks.js';
import type { Signer } from '../../keys/signer.js';
import { feesHeld, sweep } from '../submit.js';
import { measure } from '../../base/metrics.js';

const DEFAULT_INTERVAL_MS = 5_000;
/** Swept fees are booked within this time. Until then, the job leaves the surplus in the treasury to the operator. */
const BOOKED_WITHIN_MS = 60_000;

export interface FundingJobOptions {
  /** How often to check for unfunded rewards. 5,000 ms by default. */
  readonly intervalMs?: number;
}

/**
 * Moves fees to the treasury as rewards are credited, if a configured key can do so. Other transfers from the fee
 * receiver to the treasury are booked when they are found on chain. Undefined without a treasury.
 */
export function createFundingJob(
  context: Context,
  { intervalMs = DEFAULT_INTERVAL_MS }: FundingJobOptions = {},
): Job | undefined {
  const { database, logger, metrics } = context;
  const registers = [metrics.registry];
  // Every instance reads the gauge from the database.
  measure(
    metrics.registry,
    'curvekit_referrals_unfunded_lamports',
    'Referral rewards credited whose fees are not in the treasury: they cannot be claimed yet',
    async () => Number(await unfundedRewards(database.queries, 'referral')),
  );
  measure(
    metrics.registry,
    'curvekit_volume_unfunded_lamports',
    'Volume rewards credited whose fees are not in the treasury: they cannot be claimed yet',
    async () => Number(await unfundedRewards(database.queries, 'volume')),
  );
  const { treasury } = context.config;
  if (treasury === undefined) return undefined;
  const step = stepOf(context, treasury);
  const movedTotal = new Counter({
    name: 'curvekit_referrals_funded_lamports_total',
    help: 'Lamports of fees moved to the treasury for referral and volume rewards',
    registers,
  });
  return leaderJob({
    name: 'funding',
    database,
    logger,
    work: async (signal, leading, inTime) => {
      const remember = (problem: string | undefined) =>
        rememberProblem(leading, problem, context.now(), intervalMs);
      /** Unknown at first: the last leader may have left a problem. */
      let said: string | undefined = '';
      let movedAt = -Infinity;
      while (!signal.aborted) {
        const { moved, unfunded, problem } = await inTime(() => step(leading, signal)).catch(
          async (error: unknown) => {
            if (!signal.aborted && !(error instanceof DeposedError)) await remember(shownMessage(error));
            throw error;
          },
        );
        if (moved > 0n) {
          movedAt = performance.now();
          movedTotal.inc(Number(moved));
          logger.info({ lamports: String(moved) }, 'fees were moved to the treasury for rewards');
        }
        const isArriving = performance.now() - movedAt < BOOKED_WITHIN_MS;
        const covered =
          unfunded === 0n || isArriving
            ? 0n
            : await inTime(() => coverFromSurplus({ ...context, database: leading }, treasury.publicKey));
        if (covered > 0n) {
          logger.info({ lamports: String(covered) }, 'fees in the treasury back later rewards');
        }
        const waiting = covered < unfunded ? problem : undefined;
        if (waiting !== undefined && !said)
          logger.warn({ problem: waiting }, 'rewards wait for fees: `problem` says what is missing');
        if (waiting !== said) await remember(waiting);
        said = waiting;
        await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
      }
    },
    retryMs: intervalMs,
  });
}

const funding = new Tasks('funding');
const REFERRALS = 'referrals';

/** @param problem undefined when nothing waits */
async function rememberProblem(
  database: Database,
  problem: string | undefined,
  now: number,
  intervalMs: number,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (problem === undefined) await funding.done(tx, REFERRALS);
    else await funding.postpone(tx, { subject: REFERRALS, problem, now, pauses: always(intervalMs) });
  });
}

type Step = (database: Database, signal: AbortSignal) => Promise<Funding>;

/** Moves nothing when no configured key may move fees to the treasury. */
function stepOf(context: Context, treasury: Signer): Step {
  const { feeReceiver, admin } = context.config;
  if (feeReceiver !== undefined) {
    const keys = { feeReceiver, treasury: treasury.publicKey };
    return (database, signal) => fundReferrals({ ...context, database }, keys, signal);
  }
  if (admin === undefined || !treasury.publicKey.equals(context.deployment.graduation.treasury)) {
    return async ({ queries }) => ({ moved: 0n, unfunded: await unfundedRewards(queries) });
  }
  return (database) => sweepForReferrals({ ...context, database }, admin);
}

// For curves that graduate by themselves: sweeps the fees that back rewards to the treasury. Nothing is stored,
// because a sweep can go nowhere else and is booked when it is found on chain.

/**
 * Sweeps when rewards wait for fees.
 *
 * @throws errors of the RPC node, the database or the cluster
 */
async function sweepForReferrals(context: Context, admin: Signer): Promise<Funding> {
  const unfunded = await unfundedRewards(context.database.queries);
  if (unfunded < LEAST_MOVED) return { moved: 0n, unfunded };
  const fees = await feesHeld(context);
  if (fees < LEAST_MOVED) return { moved: 0n, unfunded };
  await sweep(context, admin);
  return { moved: fees, unfunded };
}
