// Reads the backlog in parts, oldest first. The RPC node is asked for the next parts while one is written.
import { readBatch, type Batch, type BatchSource } from './batch.js';
import type { Listed } from './node-history.js';
import { readBacklog, type BacklogPart } from './store/backlog.js';
import type { Tuning } from './tuning.js';

/** A part of the backlog, ready to be written. */
export interface ReadPart {
  readonly batch: Batch;
  readonly last: Listed;
  /** Id of its newest row in the backlog. */
  readonly youngest: bigint;
}

/** Parts in memory. With more, slow writes would fill it. */
const PARTS_AHEAD = 3;

/** The parts of the backlog in order. The caller writes each before it asks for the next one. */
export async function* backlogParts(
  source: BatchSource & { readonly tuning: Tuning },
  signal: AbortSignal,
): AsyncGenerator<ReadPart, void, undefined> {
  const { database, tuning } = source;
  const ahead: Promise<ReadPart>[] = [];
  let after: bigint | undefined;
  let isListed = false;
  const readAhead = async (most: number) => {
    while (!isListed && ahead.length < most) {
      const part = await readBacklog(database.queries, after, tuning.batchSize);
      isListed = part === undefined;
      if (part === undefined) return;
      after = part.youngest;
      const reading = readPart(source, part, signal);
      // It is awaited later: until then, a rejection is not unhandled.
      reading.catch(() => undefined);
      ahead.push(reading);
    }
  };
  for (;;) {
    await readAhead(1);
    const part = await ahead.shift();
    if (part === undefined) return;
    // The comparison of a part depends on the previews that the previous part left.
    if (part.batch.independent) await readAhead(PARTS_AHEAD);
    yield part;
  }
}

async function readPart(
  source: BatchSource,
  { listed, youngest }: BacklogPart,
  signal: AbortSignal,
): Promise<ReadPart> {
  const last = listed.at(-1)!;
  // The next part may have more transactions of the last slot.
  const range = { commitment: 'finalized', listed, completeTo: last.slot - 1 } as const;
  return { batch: await readBatch(source, range, signal), last, youngest };
}
