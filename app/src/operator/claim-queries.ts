// SQL of the claims commands.
import { and, desc, eq, type SQL } from 'drizzle-orm';
import type { Executor } from '../db/database.js';
import { claims } from '../db/schema/index.js';

export type Claim = typeof claims.$inferSelect;

export interface ClaimFilter {
  readonly state?: Claim['state'] | undefined;
  readonly wallet?: string | undefined;
  readonly mint?: string | undefined;
  readonly limit: number;
}

/** Claims, newest first. */
export function listClaims(db: Executor, { state, wallet, mint, limit }: ClaimFilter): Promise<Claim[]> {
  const wanted: (SQL | undefined)[] = [
    state === undefined ? undefined : eq(claims.state, state),
    wallet === undefined ? undefined : eq(claims.wallet, wallet),
    mint === undefined ? undefined : eq(claims.mint, mint),
  ];
  return db
    .select()
    .from(claims)
    .where(and(...wanted))
    .orderBy(desc(claims.createdAt), desc(claims.signature))
    .limit(limit);
}

/** The claim that the transaction with this signature pays. */
export async function findClaim(db: Executor, signature: string): Promise<Claim | undefined> {
  const [claim] = await db.select().from(claims).where(eq(claims.signature, signature));
  return claim;
}
