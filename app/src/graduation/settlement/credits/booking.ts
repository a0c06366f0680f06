// Books a paid settlement in the ledger. Each transaction credits some wallets, so that a claim never waits for all
// credits, and an interrupted booking can continue.
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { rowsOf, type Database, type Transaction } from '../../../db/database.js';
import { settlements } from '../../../db/schema/index.js';
import { decide } from '../../../sending/repository.js';
import { BookingPace, LEAST_WALLETS } from './booking-pace.js';
import type { Settlement } from '../repository.js';
import { settlementCredit } from '../functions.js';

type Booked = Pick<Settlement, 'id'>;

/**
 * Marks a planned settlement as paid: its transaction is finalized.
 *
 * @returns false when it is no longer planned: another instance has marked it, or there is an error
 */
export async function markPaid(tx: Transaction, id: number, signature: string): Promise<boolean> {
  const paid = await tx
    .update(settlements)
    .set({ state: 'paid', signature, problem: null, updatedAt: sql`now()` })
    .where(and(eq(settlements.id, id), eq(settlements.state, 'planned')))
    .returning({ id: settlements.id });
  if (paid.length === 0) return false;
  await decide(tx, signature, 'finalized', null);
  return true;
}

/**
 * Credits all wallets of a paid settlement that are not credited yet.
 *
 * @throws the signal's reason when it is aborted; the next call continues
 */
export async function bookCredits(
  database: Database,
  settlement: Booked,
  { signal, afterBatch }: { readonly signal: AbortSignal; readonly afterBatch?: () => Promise<void> | void },
): Promise<void> {
  const pace = new BookingPace(database);
  for (;;) {
    signal.throwIfAborted();
    const began = performance.now();
    const isDone = await database.transaction((tx) => bookBatch(tx, settlement, pace.wallets));
    if (isDone) return;
    await afterBatch?.();
    await sleep(await pace.after(performance.now() - began));
  }
}

/** Like `bookCredits`, in one transaction. */
export async function bookCreditsAtOnce(tx: Transaction, settlement: Booked): Promise<void> {
  while (!(await bookBatch(tx, settlement, LEAST_WALLETS)));
}

/** @returns true when every wallet is credited, by this call or an earlier one */
async function bookBatch(tx: Transaction, { id }: Booked, wallets: number): Promise<boolean> {
  const [row] = await rowsOf<{ done: boolean }>(
    tx,
    sql`select ${settlementCredit({ settlement: id, wallets })} as done`,
  );
  return row?.done === true;
}
