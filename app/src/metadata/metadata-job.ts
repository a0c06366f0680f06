// Fetches each new token's metadata and picture once.
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Context } from '../context.js';
import type { Transaction } from '../db/database.js';
import { tokenMetadata, tokens } from '../db/schema/index.js';
import type { Job } from '../jobs/job.js';
import { leaderJob } from '../jobs/leader-job.js';
import type { Library } from '../pictures/library.js';
import type { FetchLimits } from './fetch.js';
import { rowOf, type RowParts } from './token-row.js';

/** Tokens fetched at once. */
const CONCURRENCY = 8;
const POLL_INTERVAL_MS = 1_000;
/** First delay before a token whose result could not be stored is retried. Doubles each time. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;

export interface MetadataParts extends Pick<Context, 'database' | 'logger'> {
  readonly library: Library;
  /** Public URL of this service. Its own uploads are not fetched. */
  readonly publicUrl: string | undefined;
  /** Publishes a token's metadata in the transaction that stores it. */
  readonly onKept: (tx: Transaction, mint: string) => Promise<void>;
}

type Parts = RowParts & Pick<MetadataParts, 'logger' | 'onKept'>;

/** Fetches the metadata of tokens that have none yet, on one instance at a time. */
export function createMetadataFetcher(parts: MetadataParts, limits?: FetchLimits): Job {
  const { database, logger } = parts;
  return leaderJob({
    name: 'token-metadata',
    database,
    logger,
    work: (signal, leading) => fetchAll({ ...parts, database: leading, limits }, signal),
  });
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
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
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
  const { database, logger, onKept } = parts;
  const waiting = await database.queries
    .select({ mint: tokens.mint, uri: tokens.uri, recordId: tokens.recordId })
    .from(tokens)
    .leftJoin(tokenMetadata, eq(tokenMetadata.mint, tokens.mint))
    .where(and(gt(tokens.recordId, after), isNull(tokenMetadata.mint)))
    .orderBy(tokens.recordId)
    .limit(CONCURRENCY);
  const results = await Promise.all(
    waiting.map(async ({ mint, uri }) => {
      try {
        const row = { mint, uri, ...(await rowOf(uri, parts)) };
        await database.transaction(async (tx) => {
          await tx.insert(tokenMetadata).values(row).onConflictDoNothing();
          await onKept(tx, mint);
        });
        return true;
      } catch (error) {
        logger.error({ err: error, mint }, "a token's metadata cannot be kept; it is tried again later");
        return false;
      }
    }),
  );
  return { last: waiting.at(-1)?.recordId, failed: results.filter((kept) => !kept).length };
}
