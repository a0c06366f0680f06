// Tokens that can be settled.
import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Executor } from '../../../db/database.js';
import { curveStates, tokens, unfinalized } from '../../../db/schema/index.js';
import type { Shares } from '../payment/split.js';

/** A token whose creation is finalized. */
export interface SettledToken extends Shares {
  readonly mint: string;
  readonly creator: string;
  /** The curve account. */
  readonly curve: string;
  /** Reserves of the curve after its last trade: their ratio is its last price. */
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
}

const COLUMNS = {
  mint: tokens.mint,
  creator: tokens.creator,
  curve: tokens.curve,
  burnBps: tokens.burnBps,
  holdersBps: tokens.holdersBps,
  lpBps: tokens.lpBps,
  virtualSol: sql<bigint>`coalesce(${curveStates.virtualSol}, ${tokens.initialVirtualSol})`.mapWith(BigInt),
  virtualToken: sql<bigint>`coalesce(${curveStates.virtualToken}, ${tokens.initialVirtualToken})`.mapWith(
    BigInt,
  ),
};

function finalizedTokens(db: Executor, which: SQL) {
  return db
    .select(COLUMNS)
    .from(tokens)
    .leftJoin(curveStates, eq(curveStates.mint, tokens.mint))
    .where(
      and(sql`not exists (select 1 from ${unfinalized} where ${unfinalized.id} = ${tokens.recordId})`, which),
    );
}

/** Finalized tokens ordered by address, after the given one. */
export function tokensAfter(db: Executor, mint: string, limit: number): Promise<SettledToken[]> {
  return finalizedTokens(db, sql`${tokens.mint} > ${mint}`)
    .orderBy(tokens.mint)
    .limit(limit);
}

export async function tokenOf(db: Executor, mint: string): Promise<SettledToken | undefined> {
  const [token] = await finalizedTokens(db, eq(tokens.mint, mint));
  return token;
}
