// Booked transactions at exponentially growing distances from the newest one.
// See docs/decisions/indexer.md.
import { sql } from 'drizzle-orm';
import { column } from '../../db/statements.js';
import { statement, type Executor, type Transaction } from '../../db/database.js';

export interface Place {
  readonly signature: string;
  readonly slot: number;
}

/** Minimum number of slots between two anchors. */
export const ANCHOR_SLOTS = 32;

/**
 * Slots of anchors that can be dropped, given all slots, newest first. An anchor can be dropped if its older neighbour is
 * at most twice as far from the tip as its newer one. All distances grow by the same amount, so this stays true.
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
  const rows = await statement<{ slot: string; signature: string }>(db)`
    select slot::text as slot, signature from indexer_anchors order by indexer_anchors.slot desc`;
  return rows.map(({ slot, signature }) => ({ slot: Number(slot), signature }));
}

/** Adds the newest anchor and drops unneeded ones. */
export async function addAnchor(tx: Transaction, { signature, slot }: Place): Promise<void> {
  const slots = (await loadAnchors(tx)).map((anchor) => anchor.slot);
  await tx.execute(
    sql`insert into indexer_anchors (slot, signature) values (${slot}, ${signature}) on conflict do nothing`,
  );
  const gone = superfluous([slot, ...slots.filter((other) => other !== slot)], slot);
  if (gone.length === 0) return;
  await tx.execute(sql`delete from indexer_anchors where slot = any(${column(gone.map(String), 'bigint')})`);
}
