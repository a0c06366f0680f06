import { sql } from 'drizzle-orm';
import type { Context } from '../../context.js';
import { rowsOf } from '../../db/database.js';

/** How far the index is behind the cluster, whichever instance indexes. */
export interface IndexerLag {
  /** The cluster's newest finalized slot. */
  readonly finalizedSlot: number;
  /** Everything up to this slot is booked; undefined before the first look. */
  readonly scannedSlot: number | undefined;
  /** Slots between the two. */
  readonly slots: number;
  /** Why it does not go on; undefined when it does. */
  readonly held: string | undefined;
}

/** Asks the node and the database how far the index is. Shows it in the metrics as well. */
export async function indexerLag({ connection, database, metrics }: Context): Promise<IndexerLag> {
  const finalizedSlot = await connection.getSlot('finalized');
  const [row] = await rowsOf<{ slot: string | null; held: string | null }>(
    database.queries,
    sql`select scanned_slot::text as slot, held from indexer_state`,
  );
  const scannedSlot = row?.slot === undefined || row.slot === null ? undefined : Number(row.slot);
  const slots = Math.max(0, finalizedSlot - (scannedSlot ?? 0));
  metrics.indexerLagSlots.set(slots);
  return { finalizedSlot, scannedSlot, slots, held: row?.held ?? undefined };
}
