// Inserts rows as the indexer does, for tests without a chain.
import type { Queries } from '#app/db/database.js';
import { curveStates, otherRecords, tokens } from '#app/db/schema/index.js';

export interface TokenInIndex {
  readonly mint: string;
  readonly uri?: string;
  /** Lamports and token base units that determine the curve's price. */
  readonly virtualSol?: bigint;
  readonly virtualToken?: bigint;
  readonly creator?: string;
  readonly holdersBps?: number;
}

/** Inserts a token without a trade. */
export async function storeToken(
  queries: Queries,
  { virtualSol = 30_000_000_000n, virtualToken = 1_073_000_000_000_000n, ...token }: TokenInIndex,
): Promise<void> {
  const { mint, uri = '', creator = 'creator', holdersBps = 0 } = token;
  const [record] = await queries
    .insert(otherRecords)
    .values({ signature: `of ${mint}`, outer: 0, inner: -1, slot: 1, kind: 'create', mint })
    .returning();
  const recordId = record!.id;
  await queries.insert(tokens).values({
    ...{ mint, recordId, uri, creator, curve: 'curve', name: 'Token', symbol: 'TOK' },
    ...{ afterMigrationFeeBps: 0, burnBps: 0, holdersBps, lpBps: 0, platformFeeBps: 100 },
    ...{ initialVirtualSol: virtualSol, initialVirtualToken: virtualToken, createdAt: 1 },
  });
  await queries.insert(curveStates).values({
    ...{ mint, virtualSol, virtualToken, status: 1, lastRecordId: recordId, updatedAt: 1, buys: 0, sells: 0 },
    ...{ solPaid: 0n, solReceived: 0n, tokensBought: 0n, tokensSold: 0n, fees: 0n },
  });
}
