// SQL of the token commands.
import { desc, eq } from 'drizzle-orm';
import type { Executor } from '../db/database.js';
import { curveStates, tokenMetadata, tokens } from '../db/schema/index.js';

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
    .select({ token: tokens, curve: curveStates, metadata: tokenMetadata })
    .from(tokens)
    .innerJoin(curveStates, eq(curveStates.mint, tokens.mint))
    .leftJoin(tokenMetadata, eq(tokenMetadata.mint, tokens.mint))
    .where(eq(tokens.mint, mint));
  return found;
}

export type ListedToken = Awaited<ReturnType<typeof listTokens>>[number];
export type FoundToken = NonNullable<Awaited<ReturnType<typeof findToken>>>;
