// The jobs of the service, by the role of the process.
import type { Role } from './config/values.js';
import type { Context } from './context.js';
import { IdempotencyKeys } from './claims/idempotency-keys.js';
import { createReconciler } from './claims/reconciler-job.js';
import { createFundingJob } from './graduation/funding/funding-job.js';
import { createGraduationJob } from './graduation/graduation-job.js';
import type { WalletAuth } from './http/wallet-auth.js';
import { createCurveCheck } from './index/check.js';
import { createIndexer } from './index/indexer.js';
import type { Job } from './db/jobs/leader-job.js';
import { createCandlesJob } from './market/books/roll-up.js';
import { createDayJob } from './market/day-job.js';
import { createNamesJob } from './market/books/names.js';
import { marketHooks } from './market/books/book-tokens.js';
import { publishMetadata } from './market/stream/publish.js';
import { createEventTrimmer } from './market/stream/outbox.js';
import { createMetadataFetcher } from './tokens/metadata/metadata-job.js';
import { referralHooks } from './partners/referrals.js';
import { forgetUnused } from './market/shares/choice.js';
import { volumeHooks } from './market/shares/volume.js';
import { type Library, createSweeper } from './tokens/pictures/library.js';
import { createPoolsJob } from './market/pools/pools-job.js';
import { createPaymentsJob } from './reconciliation/payments-job.js';
import { webhookHooks } from './webhooks/hooks.js';
import { createWebhookJob } from './webhooks/webhook-job.js';
import { createSettlementJob } from './graduation/settlement/settlement-job.js';

/** How often some jobs work, in milliseconds. The defaults are theirs. */
export interface Intervals {
  /** How often claims in progress are checked. */
  readonly reconcilerIntervalMs?: number;
  /** How often fees are moved to the treasury. */
  readonly fundingIntervalMs?: number;
}

interface Parts extends Intervals {
  readonly library: Library;
  readonly auth: WalletAuth;
}

/** Whether a process of this role serves the APIs and the page. Every process serves `/health`, `/ready` and `/metrics`. */
export const servesApis = (role: Role): boolean => role !== 'worker';

/**
 * The jobs that a process of the configured role runs, while it leads. One lease covers them all, so they are not divided among
 * roles.
 */
export function jobsOf(context: Context, parts: Parts): Job[] {
  if (context.config.role === 'api') return [];
  return [...indexing(context, parts.library), ...paying(context, parts), createWebhookJob(context)];
}

function paying(context: Context, { auth, reconcilerIntervalMs, fundingIntervalMs }: Parts): Job[] {
  return [
    createPaymentsJob(context),
    createReconciler(context, {
      ...(reconcilerIntervalMs === undefined ? {} : { intervalMs: reconcilerIntervalMs }),
      tidy: async (leading) => {
        await auth.forgetOld(leading);
        await new IdempotencyKeys(leading).deleteExpired(new Date(context.now()));
        await forgetUnused(leading);
      },
    }),
    createSettlementJob(context),
    createFundingJob(context, fundingIntervalMs === undefined ? {} : { intervalMs: fundingIntervalMs }),
    createGraduationJob(context),
  ].filter((job) => job !== undefined);
}

function indexing(context: Context, library: Library): Job[] {
  const { http, indexer, referralShareBps, creatorShareBps } = context.config;
  if (!indexer.enabled) return [];
  return [
    createDayJob(context),
    createCandlesJob(context),
    createNamesJob(context),
    createIndexer(context, [
      referralHooks(referralShareBps),
      volumeHooks(creatorShareBps),
      marketHooks,
      webhookHooks,
    ]),
    createMetadataFetcher(
      { ...context, library, publicUrl: http.publicUrl, onKept: publishMetadata },
      { gateways: context.config.gateways },
    ),
    createSweeper(library, context),
    createEventTrimmer(context),
    createCurveCheck(context),
    createPoolsJob(context),
  ];
}
