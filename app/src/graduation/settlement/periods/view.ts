// The public view of a token's settlements.
import { and, desc, eq, lt } from 'drizzle-orm';
import { momentOf } from './moments.js';
import { samplesOf } from './samples-repository.js';
import type { Executor } from '../../../db/database.js';
import { settlements, tokens } from '../../../db/schema/index.js';

export interface Page {
  readonly limit: number;
  /** Only settlements older than this one. */
  readonly before?: number | undefined;
}

/** A token's settlements, newest first; undefined for an unknown token. */
export async function publicSettlements(db: Executor, mint: string, { limit, before }: Page) {
  const rows = await db
    .select()
    .from(settlements)
    .where(and(eq(settlements.mint, mint), before === undefined ? undefined : lt(settlements.id, before)))
    .orderBy(desc(settlements.id))
    .limit(limit);
  if (rows.length === 0 && !(await isToken(db, mint))) return undefined;
  // Hidden until the period is over. A published sample would reveal that no other sample follows in its stratum.
  const over = rows.filter(({ state }) => state !== 'sampling').map(({ id }) => id);
  const samples = await samplesOf(db, over);
  return rows.map((row) => {
    const startedAt = row.startedAt ?? row.createdAt;
    const period = { ...row, seed: row.seed ?? '', startedAt: startedAt.getTime() };
    return {
      id: row.id,
      state: row.state,
      seedHash: row.seedHash,
      seed: row.seed,
      startedAt: startedAt.toISOString(),
      periodMs: row.periodMs,
      samples: row.samples,
      taken: (samples.get(row.id) ?? []).map(({ index, slot, takenAt }) => ({
        index,
        moment: new Date(momentOf(period, index)).toISOString(),
        takenAt: takenAt.toISOString(),
        slot,
      })),
      holders: row.holders,
      sol: {
        taken: row.sol,
        holders: row.solHolders,
        lp: row.solLp,
        creator: row.solCreator,
        creatorCredited: row.solCreatorCredited,
      },
      token: {
        taken: row.token,
        holders: row.tokenHolders,
        lp: row.tokenLp,
        creator: row.tokenCreator,
        creatorCredited: row.tokenCreatorCredited,
        burned: row.tokenBurned,
      },
      signature: row.signature,
    };
  });
}

async function isToken(db: Executor, mint: string): Promise<boolean> {
  const found = await db.select({ mint: tokens.mint }).from(tokens).where(eq(tokens.mint, mint));
  return found.length === 1;
}
