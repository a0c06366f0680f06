// Fetches each new token's image once.
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Context } from '../context.js';
import { tokenMetadata, tokens } from '../db/schema/index.js';
import type { Job } from '../jobs/job.js';
import { storableText } from '../indexer/records.js';
import { leaderJob } from '../jobs/leader-job.js';
import { FetchRefusedError, type FetchLimits } from './fetch.js';
import { fetchImage } from './image.js';

/** Tokens fetched at once. */
const CONCURRENCY = 8;
const POLL_INTERVAL_MS = 1_000;
/** Tokens whose result could not be kept are tried again after so long; twice as long each time. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
/** Of the words about what is wrong: enough to see it, however long the document or the certificate quoted in them. */
const LONGEST_PROBLEM = 500;

type Parts = Pick<Context, 'database' | 'logger'>;

/** Fetches the metadata of tokens that have none yet, on one instance at a time. */
export function createMetadataFetcher({ database, logger }: Parts, limits?: FetchLimits): Job {
  return leaderJob({
    name: 'token-metadata',
    database,
    logger,
    work: (signal, leading) => fetchAll({ database: leading, logger }, limits, signal),
  });
}

async function fetchAll(parts: Parts, limits: FetchLimits | undefined, signal: AbortSignal): Promise<void> {
  let after = 0n;
  let retryMs = FIRST_RETRY_MS;
  /** When to begin anew, for those that failed. */
  let retryAt: number | undefined;
  while (!signal.aborted) {
    const { last, failed } = await fetchNext(parts, after, limits);
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
  /** Record of the last token dealt with; undefined when there were none. */
  readonly last: bigint | undefined;
  /** Tokens that still have no row. */
  readonly failed: number;
}

/** Processes some tokens created after a record, each on its own: a failure does not delay the others. */
async function fetchNext(
  { database, logger }: Parts,
  after: bigint,
  limits: FetchLimits | undefined,
): Promise<Pass> {
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
        const row = { mint, uri, ...(await imageOrProblem(uri, limits)) };
        await database.transaction((tx) => tx.insert(tokenMetadata).values(row).onConflictDoNothing());
        return true;
      } catch (error) {
        logger.error({ err: error, mint }, "a token's metadata cannot be kept; it is tried again later");
        return false;
      }
    }),
  );
  return { last: waiting.at(-1)?.recordId, failed: results.filter((kept) => !kept).length };
}

async function imageOrProblem(uri: string, limits: FetchLimits | undefined) {
  try {
    return { image: storableText(await fetchImage(uri, limits)), problem: null };
  } catch (error) {
    if (!(error instanceof FetchRefusedError)) throw error;
    // It may quote the document, a name or a certificate: untrusted text.
    return { image: '', problem: storableText(error.message).slice(0, LONGEST_PROBLEM) };
  }
}
