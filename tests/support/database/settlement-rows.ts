// What the tables hold of one settlement besides its own row.
import { asc, eq } from 'drizzle-orm';
import type { Queries } from '#app/db/database.js';
import {
  settlementCredits,
  settlementHolders,
  settlementSampleChunks,
  settlementSamples,
} from '#app/db/schema/index.js';

/** Its credits by wallet, in their order. */
export async function creditsOf(queries: Queries, id: number) {
  const rows = await queries
    .select()
    .from(settlementCredits)
    .where(eq(settlementCredits.settlementId, id))
    .orderBy(asc(settlementCredits.wallet));
  return rows.map(({ wallet, balance, sol, token }) => ({ wallet, balance, sol, token }));
}

/** Numbers of its samples, of their chunks, and of the weights. */
export async function balancesOf(queries: Queries, id: number) {
  const chunks = queries
    .select({ chunk: settlementSampleChunks.chunk })
    .from(settlementSampleChunks)
    .innerJoin(settlementSamples, eq(settlementSamples.id, settlementSampleChunks.sampleId))
    .where(eq(settlementSamples.settlementId, id));
  return {
    samples: await queries.$count(settlementSamples, eq(settlementSamples.settlementId, id)),
    chunks: (await chunks).length,
    holders: await queries.$count(settlementHolders, eq(settlementHolders.settlementId, id)),
  };
}
