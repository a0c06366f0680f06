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

/**
 * Of the slots of anchors, newest first, those that are not needed: between the one before and the one after it, which is at
 * most twice as far away. Distances grow alike for all, so that this stays true of the two for ever.
 */
export function superfluous(slots: readonly number[], newest: number): number[] {
  const gone: number[] = [];
  let kept = slots[0];
  for (const [index, slot] of slots.entries()) {
    const older = slots[index + 1];
    if (index === 0 || kept === undefined || older === undefined) continue;
    if (newest - older <= 2 * Math.max(newest - kept, ANCHOR_SLOTS)) gone.push(slot);
    else kept = slot;
  }
  return gone;
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
