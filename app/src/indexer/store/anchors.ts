// Booked transactions at exponentially growing distances before the newest one.
// See docs/decisions/anchors-and-unreadable-transactions.md.
import { sql } from 'drizzle-orm';
import { column } from '../../db/arrays.js';
import { rowsOf, type Executor, type Transaction } from '../../db/database.js';

/** A transaction in the chain's order. */
export interface Place {
  readonly signature: string;
  readonly slot: number;
}

/** Anchors are at least so many slots apart. */
export const ANCHOR_SLOTS = 32;

/** Of the slots of anchors those that are not needed: of each doubling of the distance the oldest one stays. */
export function superfluous(slots: readonly number[], newest: number): number[] {
  const distanceClass = (slot: number) => Math.floor(Math.log2(Math.max((newest - slot) / ANCHOR_SLOTS, 1)));
  const oldest = new Map<number, number>();
  for (const slot of slots) {
    const key = distanceClass(slot);
    oldest.set(key, Math.min(oldest.get(key) ?? slot, slot));
  }
  return slots.filter((slot) => oldest.get(distanceClass(slot)) !== slot);
}

/** The anchors, newest first. */
export async function loadAnchors(db: Executor): Promise<Place[]> {
  const rows = await rowsOf<{ slot: string; signature: string }>(
    db,
    sql`select slot::text as slot, signature from indexer_anchors order by indexer_anchors.slot desc`,
  );
  return rows.map(({ slot, signature }) => ({ slot: Number(slot), signature }));
}

/** Adds an anchor, newer than all others, and drops those that it makes superfluous. */
export async function addAnchor(tx: Transaction, { signature, slot }: Place): Promise<void> {
  const slots = (await loadAnchors(tx)).map((anchor) => anchor.slot);
  await tx.execute(
    sql`insert into indexer_anchors (slot, signature) values (${slot}, ${signature}) on conflict do nothing`,
  );
  const gone = superfluous([slot, ...slots.filter((other) => other !== slot)], slot);
  if (gone.length === 0) return;
  await tx.execute(sql`delete from indexer_anchors where slot = any(${column(gone.map(String), 'bigint')})`);
}
