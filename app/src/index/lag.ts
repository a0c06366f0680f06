import type { Context } from '../context.js';
import { statement } from '../db/database.js';

/** How far the index is behind the cluster. Any instance can compute it. */
export interface IndexerLag {
  /** The cluster's newest finalized slot. */
  readonly finalizedSlot: number;
  /** Everything up to this slot is booked; undefined before the first pass. */
  readonly scannedSlot: number | undefined;
  /** Slots between the finalized tip and the booked slot, or, if more, confirmed ones that wait to be shown. */
  readonly slots: number;
  /** Slots by which the RPC node is behind the booked slot. */
  readonly nodeBehind: number;
  /** Why indexing is held; undefined when it is not. */
  readonly held: string | undefined;
  /** The program whose records the database has; undefined before the first pass. */
  readonly programId: string | undefined;
}

/**
 * Reads the progress of the index from the database and the RPC node, and sets the metrics. Every instance does so, because
 * the indexing instance may be down.
 */
export async function indexerLag({ connection, database, metrics }: Context): Promise<IndexerLag> {
  const [row] = await statement<{
    program: string;
    slot: string | null;
    held: string | null;
    mismatched: number;
    waiting: number;
  }>(database.queries)`
    select program_id as program, scanned_slot::text as slot, held, mismatched_curves as mismatched, waiting_slots as waiting
    from indexer_state`;
  const held = row?.held ?? undefined;
  metrics.indexerHeld.set(held === undefined ? 0 : 1);
  metrics.mismatchedCurves.set(row?.mismatched ?? 0);
  const finalizedSlot = await connection.getSlot('finalized');
  const scannedSlot = row?.slot === undefined || row.slot === null ? undefined : Number(row.slot);
  const slots = Math.max(row?.waiting ?? 0, finalizedSlot - (scannedSlot ?? 0));
  metrics.indexerLagSlots.set(slots);
  const nodeBehind = Math.max(0, (scannedSlot ?? 0) - finalizedSlot);
  return { finalizedSlot, scannedSlot, slots, nodeBehind, held, programId: row?.program };
}

/** Usual duration of a slot. */
const SLOT_MS = 400;

/** How far the index is, for pages that show its data as live. */
export async function indexProgress({
  connection,
  database,
}: Pick<Context, 'connection' | 'database'>): Promise<{
  readonly slot: number | null;
  readonly ageMs: number | null;
}> {
  const [[row], finalizedSlot] = await Promise.all([
    statement<{ slot: string | null; age: string; waiting: number }>(database.queries)`
      select scanned_slot::text as slot, waiting_slots as waiting, round(extract(epoch from now() - updated_at) * 1000)::text as age from indexer_state`,
    connection.getSlot('finalized').catch(() => undefined),
  ]);
  if (row === undefined || row.slot === null) return { slot: null, ageMs: null };
  const slot = Number(row.slot);
  // Without the node the index stands still, and its row grows older.
  if (finalizedSlot === undefined) return { slot, ageMs: Math.max(0, Number(row.age)) };
  return { slot, ageMs: Math.max(row.waiting, finalizedSlot - slot) * SLOT_MS };
}
