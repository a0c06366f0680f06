// Fetches each new token's metadata and picture, and fetches again what was missing.
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import type { Context } from '../context.js';
import type { Transaction } from '../db/database.js';
import { tokenMetadata, tokens } from '../db/schema/index.js';
import type { Job } from '../jobs/job.js';
import { leaderJob } from '../jobs/leader-job.js';
import type { Library } from '../pictures/library.js';
import type { FetchLimits } from './fetch.js';
import { pauseMs } from './retry-pauses.js';
import { rowOf, type RowParts } from './token-row.js';

/** Tokens fetched at once. */
const CONCURRENCY = 8;
const POLL_INTERVAL_MS = 1_000;
/** First delay before a token whose result could not be stored is retried. Doubles each time. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
/** Longer than at the first attempt: a retry delays no new token. */
const RETRY_TIMEOUT_MS = 15_000;

export interface MetadataParts extends Pick<Context, 'database' | 'logger'> {
  readonly library: Library;
  /** Public URL of this service. Its own uploads are not fetched. */
  readonly publicUrl: string | undefined;
  /** Publishes a token's metadata in the transaction that stores it. */
  readonly onKept: (tx: Transaction, mint: string) => Promise<void>;
  /** How often to look for work. Default: 1,000. */
  readonly pollMs?: number;
}

type Parts = RowParts & Pick<MetadataParts, 'logger' | 'onKept' | 'pollMs'>;

/** Fetches the metadata of tokens that miss some, on one instance at a time. */
export function createMetadataFetcher(parts: MetadataParts, limits?: FetchLimits): Job {
  const { database, logger } = parts;
  return leaderJob({
    name: 'token-metadata',
    database,
    logger,
    work: async (signal, leading) => {
      const first = { ...parts, database: leading, limits };
      const again = { ...first, limits: { timeoutMs: RETRY_TIMEOUT_MS, ...limits } };
      await together(signal, (both) => [fetchAll(first, both), retryAll(again, both)]);
    },
  });
}

/** Runs both until one fails; then stops the other before it reports the failure. */
async function together(
  signal: AbortSignal,
  start: (signal: AbortSignal) => readonly Promise<void>[],
): Promise<void> {
  const stop = new AbortController();
  const running = start(AbortSignal.any([signal, stop.signal])).map((loop) =>
    loop.catch((error: unknown) => stop.abort(error)),
  );
  await Promise.all(running);
  // The reason is the first failure.
  stop.signal.throwIfAborted();
}

async function fetchAll(parts: Parts, signal: AbortSignal): Promise<void> {
  let after = 0n;
  let retryMs = FIRST_RETRY_MS;
  /** When to start over, to retry the tokens that failed. */
  let retryAt: number | undefined;
  while (!signal.aborted) {
    const { last, failed } = await fetchNext(parts, after);
    if (failed > 0 && retryAt === undefined) {
      retryAt = Date.now() + retryMs;
      retryMs = Math.min(2 * retryMs, LONGEST_RETRY_MS);
    }
    if (last !== undefined) {
      after = last;
      continue;
    }
    if (retryAt === undefined) retryMs = FIRST_RETRY_MS;
    else if (Date.now() >= retryAt) [after, retryAt] = [0n, undefined];
    await sleep(parts.pollMs ?? POLL_INTERVAL_MS, undefined, { signal });
  }
}

/** Fetches the tokens whose time to retry has come. */
async function retryAll(parts: Parts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await parts.database.queries
      .select({ mint: tokenMetadata.mint, uri: tokenMetadata.uri, failures: tokenMetadata.failures })
      .from(tokenMetadata)
      .where(lte(tokenMetadata.retryAt, new Date()))
      .orderBy(tokenMetadata.retryAt)
      .limit(CONCURRENCY);
    await Promise.all(
      due.map(async (token) => {
        if (await fetchOne(parts, token)) return;
        // Comes last from now on, so that it does not keep others from their turn.
        await parts.database.queries
          .update(tokenMetadata)
          .set({ retryAt: new Date(Date.now() + LONGEST_RETRY_MS) })
          .where(eq(tokenMetadata.mint, token.mint));
      }),
    );
    await sleep(parts.pollMs ?? POLL_INTERVAL_MS, undefined, { signal });
  }
}

interface Pass {
  /** Record id of the last processed token; undefined when there was none. */
  readonly last: bigint | undefined;
  /** Tokens that still have no row. */
  readonly failed: number;
}

/** Processes some tokens created after a record. A failure of one does not delay the others. */
async function fetchNext(parts: Parts, after: bigint): Promise<Pass> {
  const waiting = await parts.database.queries
    .select({ mint: tokens.mint, uri: tokens.uri, recordId: tokens.recordId })
    .from(tokens)
    .leftJoin(tokenMetadata, eq(tokenMetadata.mint, tokens.mint))
    .where(and(gt(tokens.recordId, after), isNull(tokenMetadata.mint)))
    .orderBy(tokens.recordId)
    .limit(CONCURRENCY);
  const results = await Promise.all(
    waiting.map(({ mint, uri }) => fetchOne(parts, { mint, uri, failures: 0 })),
  );
  return { last: waiting.at(-1)?.recordId, failed: results.filter((kept) => !kept).length };
}

interface Due {
  readonly mint: string;
  readonly uri: string;
  readonly failures: number;
}

/** Stores what can be read, and when to read the rest. @returns whether it could be stored */
async function fetchOne(parts: Parts, { mint, uri, failures }: Due): Promise<boolean> {
  const { database, logger, onKept } = parts;
  try {
    const { row, failure } = await rowOf(uri, parts);
    const fetchedAt = new Date();
    const next =
      failure === undefined
        ? { failures: 0, retryAt: null }
        : {
            failures: failures + 1,
            retryAt: new Date(fetchedAt.getTime() + pauseMs(failures + 1, failure)),
          };
    const set = { ...row, ...next, fetchedAt };
    await database.transaction(async (tx) => {
      await tx
        .insert(tokenMetadata)
        .values({ mint, uri, image: '', ...set })
        .onConflictDoUpdate({ target: tokenMetadata.mint, set });
      // A document that was not read changes nothing that pages show.
      if (row.description !== undefined || row.picture !== undefined) await onKept(tx, mint);
    });
    return true;
  } catch (error) {
    logger.error({ err: error, mint }, "storing a token's metadata failed; it is tried again later");
    return false;
  }
}
