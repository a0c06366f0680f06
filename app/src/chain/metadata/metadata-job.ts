// Fetches each new token's image once.
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Context } from '../../context.js';
import type { Queries } from '../../db/database.js';
import { tokenMetadata, tokens } from '../../db/schema/index.js';
import type { Job } from '../job.js';
import { leaderJob } from '../leader-job.js';
import { FetchRefusedError, type FetchLimits } from './fetch.js';
import { fetchImage } from './image.js';

/** Tokens fetched at once. */
const CONCURRENCY = 8;
const POLL_INTERVAL_MS = 1_000;

/** Fetches the metadata of tokens that have none yet, on one instance at a time. */
export function createMetadataFetcher(
  { database, logger }: Pick<Context, 'database' | 'logger'>,
  limits?: FetchLimits,
): Job {
  return leaderJob({
    name: 'token-metadata',
    database,
    logger,
    work: async (signal) => {
      let after = 0n;
      while (!signal.aborted) {
        const last = await fetchNext(database.queries, after, limits);
        if (last === undefined) await sleep(POLL_INTERVAL_MS, undefined, { signal });
        else after = last;
      }
    },
  });
}

/** Deals with some tokens created after a record. @returns the last one's record; undefined when there are none */
async function fetchNext(
  queries: Queries,
  after: bigint,
  limits: FetchLimits | undefined,
): Promise<bigint | undefined> {
  const waiting = await queries
    .select({ mint: tokens.mint, uri: tokens.uri, recordId: tokens.recordId })
    .from(tokens)
    .leftJoin(tokenMetadata, eq(tokenMetadata.mint, tokens.mint))
    .where(and(gt(tokens.recordId, after), isNull(tokenMetadata.mint)))
    .orderBy(tokens.recordId)
    .limit(CONCURRENCY);
  const last = waiting.at(-1)?.recordId;
  if (last === undefined) return undefined;
  const rows = await Promise.all(
    waiting.map(async ({ mint, uri }) => ({ mint, uri, ...(await imageOrProblem(uri, limits)) })),
  );
  await queries.insert(tokenMetadata).values(rows).onConflictDoNothing();
  return last;
}

async function imageOrProblem(uri: string, limits: FetchLimits | undefined) {
  try {
    return { image: await fetchImage(uri, limits), problem: null };
  } catch (error) {
    if (!(error instanceof FetchRefusedError)) throw error;
    return { image: '', problem: error.message };
  }
}
