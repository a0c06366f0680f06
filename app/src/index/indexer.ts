// The indexer as a job: one instance at a time indexes. A source wakes it.
import { setTimeout as sleep } from 'node:timers/promises';
import { IncompleteTransactionError } from '@curvekit/sdk';
import type { Context } from '../context.js';
import type { Logger } from '../base/logging/logging.js';
import { leaderJob, type Step, type Job } from '../db/jobs/leader-job.js';
import { askNode } from '../chain/connection.js';
import { IndexerEngine } from './engine.js';
import type { Source } from './feed/source.js';
import type { IndexHooks } from './hooks.js';
import { NodeError } from '../chain/node-errors.js';
import { NodeHistory } from './node-history.js';
import { rpcSource } from './rpc-source.js';
import { UnreadableRetry } from './unreadable-retry.js';
import { loadState, WrongProgramError } from './store/state.js';
import { DEFAULT_TUNING, type Tuning } from './tuning.js';

/** Shortest interval between bookings: about one slot. */
const BOOKING_INTERVAL_MS = 400;
/** First and longest pause before an RPC node without a complete history is checked again. */
const FIRST_HOLD_MS = 1_000;
const LONGEST_HOLD_MS = 60_000;
/** Prices are told whose trades wait longer. */
const TELLING_INTERVAL_MS = 100;
const LIMIT_MS = 6 * 3_600_000;

/** A job that indexes the program's records into the database. */
export function createIndexer(
  context: Context,
  hooks: readonly IndexHooks[],
  tuning: Tuning = DEFAULT_TUNING,
): Job {
  const { database, logger, metrics } = context;
  return leaderJob({
    name: 'indexer',
    database,
    logger,
    // One booking reads the whole gap, however long the index was away.
    limitMs: LIMIT_MS,
    work: async (signal, leading, step) => {
      metrics.indexerLeader.set(1);
      try {
        await index({ ...context, database: leading }, hooks, tuning, { signal, step });
      } catch (error) {
        // `/ready` of every instance also reports this.
        if (!(error instanceof WrongProgramError)) throw error;
        logger.warn({ reason: error.message }, 'nothing is indexed: `reason` says why, and what to do');
      } finally {
        metrics.indexerLeader.set(0);
      }
    },
  });
}

async function index(
  context: Context,
  hooks: readonly IndexHooks[],
  tuning: Tuning,
  { signal, step }: { readonly signal: AbortSignal; readonly step: Step },
): Promise<void> {
  const { config, logger, metrics } = context;
  const programId = context.deployment.programId.toBase58();
  const onError = (error: unknown) => {
    metrics.nodeErrors.inc();
    logger.warn(
      { err: error },
      'a request of the indexer failed and is repeated. If that lasts, run `curvekit doctor`',
    );
  };
  // A database with the index of another program needs no source.
  await loadState(context.database.queries, programId);
  const newestSlot = () => askNode(context.connection.getSlot('confirmed'));
  for (const each of hooks) await each.onBegin?.(context.database, newestSlot);
  const source = await sourceOf(context);
  const sized = { parallelRequests: config.indexer.parallelRequests, ...tuning };
  const history = new NodeHistory(config, programId, onError, sized, source);
  const unreadableRetry = new UnreadableRetry(context, history);
  const ending = new AbortController();
  try {
    const engine = await IndexerEngine.open({ ...context, history, hooks, tuning, source });
    void tellNewest(engine, logger, ending.signal);
    let bookAt = 0;
    let holdMs = FIRST_HOLD_MS;
    while (!signal.aborted) {
      if (Date.now() >= bookAt) {
        await step(() => engine.book(signal));
        bookAt = Date.now() + (engine.isHeld ? holdMs : BOOKING_INTERVAL_MS);
        holdMs = engine.isHeld ? Math.min(2 * holdMs, LONGEST_HOLD_MS) : FIRST_HOLD_MS;
      }
      if (engine.isCurrent) {
        await step(() => previewOrWarn(engine, logger, signal));
        await step(() => unreadableRetry.run(signal));
        if (!engine.isBehind) await source.wait(signal);
      } else {
        await sleep(Math.max(0, bookAt - Date.now()), undefined, { signal });
      }
    }
  } finally {
    ending.abort();
    source.stop();
  }
}

/** Tells prices whose trades wait, beside the writes that they wait for. */
async function tellNewest(engine: IndexerEngine, logger: Logger, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(TELLING_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await engine.tellNewest();
    } catch (error) {
      logger.warn({ err: error }, 'telling the newest prices failed; pages see them with their trades');
    }
  }
}

async function sourceOf({ config, deployment, logger, metrics, peers }: Context): Promise<Source> {
  const intervalMs = config.indexer.pollMs;
  if (config.yellowstone !== undefined) {
    // On demand: services without a feed need no gRPC library.
    const { YellowstoneSource } = await import('./feed/yellowstone.js');
    return new YellowstoneSource({ deployment, logger, metrics }, config.yellowstone, { intervalMs });
  }
  const programId = deployment.programId.toBase58();
  return rpcSource({ wsUrl: config.wsUrl, programId, intervalMs, logger, peers });
}

/** Booking later handles a transaction that cannot be previewed, or reports the problem. */
async function previewOrWarn(engine: IndexerEngine, logger: Logger, signal: AbortSignal): Promise<void> {
  try {
    await engine.preview(signal);
  } catch (error) {
    const isOfNode =
      error instanceof IncompleteTransactionError || (error instanceof NodeError && error.isLasting);
    if (!isOfNode) throw error;
    logger.warn(
      { err: error },
      'reading confirmed transactions failed; until it works, trades appear when they are finalized. If that lasts, run `curvekit doctor`',
    );
  }
}
