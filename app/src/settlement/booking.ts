// Books a paid settlement in the ledger. Each transaction credits some wallets, so that a claim never waits for all
// credits, and an interrupted booking can continue.
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../db/database.js';
import { settlementCredits, settlements } from '../db/schema/index.js';
import { decide } from '../authority/repository.js';
import { credit } from '../ledger/credit.js';
import type { Settlement } from './repository.js';

/** Wallets credited in one transaction. Few, because concurrent reads and claims wait for the CPU while it runs. */
const BATCH = 100;
/** Number of batches without a pause, enough for most settlements. */
const UNPACED_BATCHES = 10;
/** Later batches are followed by a pause of this many times their own duration, so that reads and claims stay fast. */
const PAUSE_RATIO = 2;
const LONGEST_PAUSE_MS = 200;

type Named = Pick<Settlement, 'id' | 'mint'>;

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
  settlement: Named,
  { signal, afterBatch }: { readonly signal: AbortSignal; readonly afterBatch?: () => Promise<void> | void },
): Promise<void> {
  for (let batch = 1; ; batch += 1) {
    signal.throwIfAborted();
    const began = performance.now();
    const isDone = await database.transaction((tx) => bookBatch(tx, settlement));
    if (isDone) return;
    await afterBatch?.();
    if (batch >= UNPACED_BATCHES) {
      await sleep(Math.min(PAUSE_RATIO * (performance.now() - began), LONGEST_PAUSE_MS));
    }
  }
}

/** Like `bookCredits`, in one transaction. */
export async function bookCreditsAtOnce(tx: Transaction, settlement: Named): Promise<void> {
  while (!(await bookBatch(tx, settlement)));
}

/** @returns true when every wallet is credited, by this call or an earlier one */
async function bookBatch(tx: Transaction, { id, mint }: Named): Promise<boolean> {
  const [paid] = await tx
    .select({ creditedThrough: settlements.creditedThrough })
    .from(settlements)
    .where(and(eq(settlements.id, id), eq(settlements.state, 'paid')))
    .for('update');
  if (paid === undefined) return true;
  const credits = await tx
    .select()
    .from(settlementCredits)
    .where(
      and(eq(settlementCredits.settlementId, id), gt(settlementCredits.wallet, paid.creditedThrough ?? '')),
    )
    .orderBy(settlementCredits.wallet)
    .limit(BATCH);
  const first = credits[0]?.wallet ?? '';
  let lamports = 0n;
  for (const { sol } of credits) lamports += sol;
  for (const asset of ['SOL', 'TOKEN'] as const) {
    const received = credits.map(({ wallet, sol, token }) => ({
      wallet,
      amount: asset === 'SOL' ? sol : token,
    }));
    if (received.every(({ amount }) => amount === 0n)) continue;
    const key = `settlement:${id}:${asset}:${first}`;
    const isBooked = await credit(tx, 'settlement', { key, mint, asset, credits: received });
    if (!isBooked) throw new Error(`the ledger has ${key} already, but the settlement does not say so`);
  }
  const isDone = credits.length < BATCH;
  await tx
    .update(settlements)
    .set({
      state: isDone ? 'done' : 'paid',
      creditedThrough: credits.at(-1)?.wallet ?? paid.creditedThrough,
      // In the transaction of the entries, so that the treasury's cover counts each lamport once at any time.
      solCredited: sql`${settlements.solCredited} + ${lamports}`,
      updatedAt: sql`now()`,
    })
    .where(eq(settlements.id, id));
  return isDone;
}
