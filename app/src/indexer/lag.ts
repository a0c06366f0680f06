import { sql } from 'drizzle-orm';
import type { Context } from '../context.js';
import { rowsOf } from '../db/database.js';

/** How far the index is behind the cluster, whichever instance indexes. */
export interface IndexerLag {
  /** The cluster's newest finalized slot. */
  readonly finalizedSlot: number;
  /** Everything up to this slot is booked; undefined before the first look. */
  readonly scannedSlot: number | undefined;
  /** Slots between tip and booked. */
  readonly slots: number;
  /** Slots by which the node is behind what is booked. */
  readonly nodeBehind: number;
  /** Why indexing is held; undefined when it is not. */
  readonly held: string | undefined;
  /** The program whose records the database holds; undefined before the first look. */
  readonly programId: string | undefined;
}

/**
 * Asks the database and the node how far the index is, and sets the metrics. Every instance does so, because the indexing
 * instance may be down.
 */
export async function indexerLag({
  connection,
  database,
  metrics,
}: Pick<Context, 'connection' | 'database' | 'metrics'>): Promise<IndexerLag> {
  const [row] = await rowsOf<{
    program: string;
    slot: string | null;
    held: string | null;
    mismatched: number;
  }>(
    database.queries,
    sql`select program_id as program, scanned_slot::text as slot, held, mismatched_curves as mismatched
        from indexer_state`,
  );
  const held = row?.held ?? undefined;
  metrics.indexerHeld.set(held === undefined ? 0 : 1);
  metrics.mismatchedCurves.set(row?.mismatched ?? 0);
  const finalizedSlot = await connection.getSlot('finalized');
  const scannedSlot = row?.slot === undefined || row.slot === null ? undefined : Number(row.slot);
  const slots = Math.max(0, finalizedSlot - (scannedSlot ?? 0));
  metrics.indexerLagSlots.set(slots);
  const nodeBehind = Math.max(0, (scannedSlot ?? 0) - finalizedSlot);
  return { finalizedSlot, scannedSlot, slots, nodeBehind, held, programId: row?.program };
}
