// Inserts settlements without a chain: a period that has begun, and samples of its holders.
import { beginSettlement } from '#app/graduation/settlement/repository.js';
import type { Holding } from '#app/graduation/settlement/periods/holders.js';
import { newSeed, SAMPLES } from '#app/graduation/settlement/periods/moments.js';
import {
  addToSample,
  beginSample,
  finishSample,
} from '#app/graduation/settlement/periods/samples-repository.js';
import type { Database } from '#app/db/database.js';

/** Begins a period. @returns the settlement's id */
export async function beginPeriod(database: Database, mint: string, creator = 'creator'): Promise<number> {
  const id = await database.transaction((tx) =>
    beginSettlement(tx, {
      mint,
      creator,
      seed: newSeed(),
      startedAt: new Date(),
      startedSlot: 1,
      periodMs: 1_000,
      samples: SAMPLES,
      value: 1n,
    }),
  );
  if (id === undefined) throw new Error('the settlement did not begin');
  return id;
}

/** Takes a sample. Each list of holdings is one chunk of the node's answer. */
export async function addSample(
  database: Database,
  settlementId: number,
  index: number,
  lists: readonly (readonly Holding[])[],
): Promise<boolean> {
  const id = await database.transaction((tx) => beginSample(tx, settlementId, index, new Date()));
  if (id === undefined) return false;
  for (const [chunk, holdings] of lists.entries())
    if (!(await database.transaction((tx) => addToSample(tx, id, chunk, holdings)))) return false;
  return database.transaction((tx) => finishSample(tx, { id, settlementId, slot: index + 1 }));
}
