// Fetches each new token's metadata and picture, and fetches again what was missing.
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, lte } from 'drizzle-orm';
import { callWithin } from '../../base/call-within.js';
import type { Context } from '../../context.js';
import { statement, type Transaction } from '../../db/database.js';
import { tasks, tokenMetadata, tokens } from '../../db/schema/index.js';
import { leaderJob, type Step, type Job } from '../../db/jobs/leader-job.js';
import type { Library } from '../pictures/library.js';
import type { FetchLimits } from './fetch.js';
import { always, Tasks } from '../../db/retries/tasks.js';
import { rowOf, type RowParts, pauseMs } from './token-row.js';

/** Tokens fetched at once. */
const CONCURRENCY = 8;
/** Tokens looked at in one query. */
const PAGE = 500;
const POLL_INTERVAL_MS = 1_000;
/** For a token whose result could not be stored. */
const STORING = { firstMs: 1_000, longestMs: 300_000 };
/** Longer than at the first attempt: a retry delays no new token. */
const RETRY_TIMEOUT_MS = 15_000;
/** For all places of a token's metadata and picture, each of which has a limit of its own. */
const TOKEN_MS = 180_000;

export interface MetadataParts extends Pick<Context, 'database' | 'logger'> {
  readonly library: Library;
  /** Public URL of this service. Its own uploads are not fetched. */
  readonly publicUrl: string | undefined;
  /** Publishes a token's metadata in the transaction that stores it. */
  readonly onKept: (tx: Transaction, mint: string) => Promise<void>;
  /** How often to look for work. Default: 1,000. */
  readonly pollMs?: number;
}

/** By token: one of which a part is missing, or that could not be stored. */
export const fetching = new Tasks('metadata');

type Parts = RowParts & Pick<MetadataParts, 'logger' | 'onKept' | 'pollMs'>;

/** Fetches the metadata of tokens that miss some, on one instance at a time. */
export function createMetadataFetcher(parts: MetadataParts, limits?: FetchLimits): Job {
  const { database, logger } = parts;
  return leaderJob({
    name: 'token-metadata',
    database,
    logger,
    work: async (signal, leading, step) => {
      const first = { ...parts, database: leading, limits };
      const again = { ...first, limits: { timeoutMs: RETRY_TIMEOUT_MS, ...limits } };
      await together(signal, (both) => [fetchAll(first, both, step), retryAll(again, both, step)]);
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

async function fetchAll(parts: Parts, signal: AbortSignal, step: Step): Promise<void> {
  let after = 0n;
  while (!signal.aborted) {
    const last = await step(() => fetchNext(parts, after, signal));
    if (last === undefined) await sleep(parts.pollMs ?? POLL_INTERVAL_MS, undefined, { signal });
    else after = last;
  }
}

/** Fetches the tokens whose time to retry has come. */
async function retryAll(parts: Parts, signal: AbortSignal, step: Step): Promise<void> {
  while (!signal.aborted) {
    const due = await parts.database.queries
      .select({ mint: tokens.mint, uri: tokens.uri, failures: tasks.attempts })
      .from(tasks)
      .innerJoin(tokens, eq(tokens.mint, tasks.subject))
      .where(and(eq(tasks.kind, fetching.kind), lte(tasks.dueAt, new Date())))
      .orderBy(tasks.dueAt)
      .limit(CONCURRENCY);
    await step(() => Promise.all(due.map((token) => fetchOne(parts, token, signal))));
    await sleep(parts.pollMs ?? POLL_INTERVAL_MS, undefined, { signal });
  }
}

/** Fetches those of the next tokens that were never fetched. @returns the last token's record; undefined at the end of all tokens */
async function fetchNext(parts: Parts, after: bigint, signal: AbortSignal): Promise<bigint | undefined> {
  // Subqueries of one row keep the plan from reading all tokens.
  const page = await statement<{ mint: string; uri: string; record: string; known: boolean }>(
    parts.database.queries,
  )`
    select t.mint, t.uri, t.record_id::text as record, coalesce(
        (select true from token_metadata m where m.mint = t.mint),
        (select true from tasks w where w.kind = ${fetching.kind} and w.subject = t.mint), false
      ) as known
    from tokens t where t.record_id > ${String(after)}::bigint order by t.record_id limit ${PAGE}`;
  const fresh = page.filter(({ known }) => !known).slice(0, CONCURRENCY);
  await Promise.all(fresh.map(({ mint, uri }) => fetchOne(parts, { mint, uri, failures: 0 }, signal)));
  const last = fresh.length === CONCURRENCY ? fresh.at(-1) : page.at(-1);
  return last === undefined ? undefined : BigInt(last.record);
}

interface Due {
  readonly mint: string;
  readonly uri: string;
  readonly failures: number;
}

/** Stores what can be read, and when to read the rest. */
async function fetchOne(parts: Parts, { mint, uri, failures }: Due, stop: AbortSignal): Promise<void> {
  const { database, logger, onKept } = parts;
  try {
    const { row, failure } = await callWithin(
      { what: `what serves ${mint}`, limitMs: TOKEN_MS, signal: stop },
      (signal) => rowOf(uri, { ...parts, limits: { ...parts.limits, signal } }),
    );
    const set = { ...row, fetchedAt: new Date() };
    await database.transaction(async (tx) => {
      const [stored] = await tx
        .insert(tokenMetadata)
        .values({ mint, uri, image: '', ...set })
        .onConflictDoUpdate({ target: tokenMetadata.mint, set })
        .returning({ problem: tokenMetadata.problem, pictureProblem: tokenMetadata.pictureProblem });
      if (failure === undefined) await fetching.done(tx, mint);
      else {
        const pauses = always(pauseMs(failures + 1, failure));
        const problem = stored?.problem ?? stored?.pictureProblem ?? 'it names no picture';
        await fetching.postpone(tx, { subject: mint, problem, now: set.fetchedAt.getTime(), pauses });
      }
      // A document that was not read changes nothing that pages show.
      if (row.description !== undefined || row.picture !== undefined) await onKept(tx, mint);
    });
  } catch (error) {
    // The next leader fetches it.
    stop.throwIfAborted();
    logger.error(
      { err: error, mint },
      "storing a token's metadata failed and is tried again: `curvekit tasks` says when",
    );
    const postponed = { subject: mint, problem: 'it could not be stored', now: Date.now(), pauses: STORING };
    await database.transaction((tx) => fetching.postpone(tx, postponed));
  }
}
