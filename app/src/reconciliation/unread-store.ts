// Stores the progress of reading: the transactions that are listed and not processed, and how far each key is listed. So neither
// a restart nor a limit of the node begins again.
import { sql, type SQL } from 'drizzle-orm';
import { column, insertRows, type Columns } from '../db/statements.js';
import { statement, type Database, type Executor, type Transaction } from '../db/database.js';
import type { Through, Watch } from '../ledger/gate/payments-gate.js';
import type { Place } from './payments-node.js';

const COLUMNS: Columns<Place> = {
  signature: ['text', (place) => place.signature],
  slot: ['bigint', (place) => place.slot],
};

export interface ListingStep {
  readonly through: Through;
  /** The oldest transaction of the page; undefined when the listing has ended. */
  readonly before: string | undefined;
}

/**
 * Stores a page: its transactions, newest first, and where the listing continues.
 *
 * @returns false when another process has continued the listing meanwhile; then only the transactions are stored
 */
export async function storePage(
  database: Database,
  watch: Watch,
  found: readonly Place[],
  { through, before }: ListingStep,
): Promise<boolean> {
  const { slot, signature = null } = through;
  const next =
    before === undefined
      ? sql`listed_slot = greatest(listed_slot, ${slot}::bigint),
            listed_signature = case when listed_slot > ${slot}::bigint then listed_signature else ${signature} end,
            listing_slot = null, listing_signature = null, listing_before = null`
      : sql`listing_slot = ${slot}, listing_signature = ${signature}, listing_before = ${before}`;
  return database.transaction(async (tx) => {
    await insertRows(tx, 'payment_unread', found, COLUMNS, sql`on conflict (signature) do nothing`);
    return updates(tx, watch, next);
  });
}

/** Begins the listing again, because the node does not know where it was. */
export async function forgetListing(database: Database, watch: Watch): Promise<void> {
  await database.transaction((tx) =>
    updates(tx, watch, sql`listing_slot = null, listing_signature = null, listing_before = null`),
  );
}

async function updates(tx: Executor, { address, role, listing }: Watch, set: SQL): Promise<boolean> {
  const rows = await statement(tx)`
    update payment_watches set ${set}
    where address = ${address} and role = ${role} and listing_before is not distinct from ${listing?.before ?? null}
    returning address`;
  return rows.length > 0;
}

/** Transactions that are still to be read, oldest first. */
export function unreadPlaces(db: Executor, limit: number, offset = 0): Promise<Place[]> {
  return placesIn(db, sql`not is_own order by slot, id desc limit ${limit} offset ${offset}`);
}

/** Transactions that are read and can be payments of the service, in the order of the chain. */
export function ownPlaces(db: Executor): Promise<Place[]> {
  return placesIn(db, sql`is_own order by slot, id desc`);
}

async function placesIn(db: Executor, which: SQL): Promise<Place[]> {
  const rows = await statement<{ signature: string; slot: string }>(db)`
    select signature, slot::text as slot from payment_unread where ${which}`;
  return rows.map(({ signature, slot }) => ({ signature, slot: Number(slot) }));
}

export async function countUnread(db: Executor): Promise<number> {
  const [row] = await statement<{ count: number }>(db)`
    select count(*)::integer as count from payment_unread where not is_own`;
  return row?.count ?? 0;
}

/** Stores what reading found: transactions that can be payments of the service, and others, which are done. */
export async function storeRead(
  database: Database,
  { own, done }: { readonly own: readonly string[]; readonly done: readonly string[] },
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(
      sql`update payment_unread set is_own = true where signature = any(${column(own, 'text')})`,
    );
    await forgetPlaces(tx, done);
  });
}

export async function forgetPlaces(tx: Transaction, signatures: readonly string[]): Promise<void> {
  await tx.execute(sql`delete from payment_unread where signature = any(${column(signatures, 'text')})`);
}
