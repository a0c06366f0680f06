// SQL of the token commands.
import { and, desc, eq } from 'drizzle-orm';
import type { Database, Executor } from '../db/database.js';
import { curveStates, hiddenTokens, tasks, tokenMetadata, tokens } from '../db/schema/index.js';
import { fetching } from '../tokens/metadata/metadata-job.js';
import { always } from '../db/retries/tasks.js';

/** Tokens with the state of their curves, newest first. */
export function listTokens(db: Executor, limit: number) {
  return db
    .select({ token: tokens, curve: curveStates })
    .from(tokens)
    .innerJoin(curveStates, eq(curveStates.mint, tokens.mint))
    .orderBy(desc(tokens.recordId))
    .limit(limit);
}

/** A token with the state of its curve and its metadata, if fetched. */
export async function findToken(db: Executor, mint: string) {
  const [found] = await db
    .select({
      ...{ token: tokens, curve: curveStates, metadata: tokenMetadata, hidden: hiddenTokens },
      ...{ failures: tasks.attempts, retryAt: tasks.dueAt },
    })
    .from(tokens)
    .innerJoin(curveStates, eq(curveStates.mint, tokens.mint))
    .leftJoin(tokenMetadata, eq(tokenMetadata.mint, tokens.mint))
    .leftJoin(hiddenTokens, eq(hiddenTokens.mint, tokens.mint))
    .leftJoin(tasks, and(eq(tasks.kind, 'metadata'), eq(tasks.subject, tokens.mint)))
    .where(eq(tokens.mint, mint));
  if (found === undefined) return undefined;
  const { failures, retryAt, metadata, ...rest } = found;
  return { ...rest, metadata: metadata && { ...metadata, failures: failures ?? 0, retryAt } };
}

/** Has the running service fetch a token's metadata again, as if for the first time. @returns what became of the wish */
export function refetchToken(
  database: Database,
  mint: string,
): Promise<'unknown' | 'not fetched yet' | 'due'> {
  return database.transaction(async (tx) => {
    const fetched = await tx
      .select({ mint: tokenMetadata.mint })
      .from(tokenMetadata)
      .where(eq(tokenMetadata.mint, mint));
    if (fetched.length > 0) {
      const wish = { subject: mint, problem: 'an operator wants it fetched again', now: Date.now() };
      await fetching.postpone(tx, { ...wish, pauses: always(0), isResting: true });
      return 'due';
    }
    const known = await tx.select({ mint: tokens.mint }).from(tokens).where(eq(tokens.mint, mint));
    return known.length > 0 ? 'not fetched yet' : 'unknown';
  });
}

/** Hides a token, also one that is not indexed yet. @returns whether it was shown before */
export function hideToken(database: Database, mint: string, reason: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const added = await tx
      .insert(hiddenTokens)
      .values({ mint, reason })
      .onConflictDoNothing()
      .returning({ mint: hiddenTokens.mint });
    if (added.length === 0) await tx.update(hiddenTokens).set({ reason }).where(eq(hiddenTokens.mint, mint));
    return added.length > 0;
  });
}

/** @returns whether the token was hidden */
export function unhideToken(database: Database, mint: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const removed = await tx
      .delete(hiddenTokens)
      .where(eq(hiddenTokens.mint, mint))
      .returning({ mint: hiddenTokens.mint });
    return removed.length > 0;
  });
}

export type ListedToken = Awaited<ReturnType<typeof listTokens>>[number];
export type FoundToken = NonNullable<Awaited<ReturnType<typeof findToken>>>;
