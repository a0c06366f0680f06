// Books a paid settlement in the ledger. Each transaction credits some wallets, so that a claim never waits for all
// credits, and an interrupted booking can continue.
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, sql } from 'drizzle-orm';
import { statement, type Database, type Transaction } from '../../../db/database.js';
import { settlements } from '../../../db/schema/index.js';
import { decide } from '../../../sending/repository.js';
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
  const [row] = await statement<{ done: boolean }>(tx)`
    select ${settlementCredit({ settlement: id, wallets })} as done`;
  return row?.done === true;
}

// Pauses between the batches of a long booking, and the size of the batches, so that claims and reads of others stay fast.

/** Number of batches without a pause, enough for most settlements. */
const UNPACED_BATCHES = 10;
/** Wallets in a batch on a busy service. Few, because concurrent reads and claims wait for the CPU while it runs. */
const LEAST_WALLETS = 100;
/** Wallets in a batch while nobody else uses the database. */
const MOST_WALLETS = 500;
/** A pause is at most this many times as long as the batch before it. */
const MOST_RATIO = 2;
const LONGEST_PAUSE_MS = 200;
/** Transactions of others in a second at which pauses are longest. A service that nobody uses makes about twenty. */
const BUSY_PER_SECOND = 200;
/** Each session of PostgreSQL reports its transactions about once a second. Over a longer time that makes little difference. */
const LOOK_EVERY_MS = 5_000;

export class BookingPace {
  #batches = 0;
  #ratio = MOST_RATIO;
  #last: { readonly at: number; readonly transactions: number; readonly batches: number } | undefined;

  /** The embedded database works in this process and counts nothing, so pauses stay longest there. */
  constructor(
    private readonly database: Pick<Database, 'kind' | 'queries'>,
    private readonly lookEveryMs = LOOK_EVERY_MS,
  ) {}

  /** Wallets of the next batch. */
  get wallets(): number {
    const idle = 1 - this.#ratio / MOST_RATIO;
    return LEAST_WALLETS + Math.round((MOST_WALLETS - LEAST_WALLETS) * idle);
  }

  /** Milliseconds to wait after a batch. */
  async after(batchMs: number): Promise<number> {
    this.#batches += 1;
    if (this.#batches < UNPACED_BATCHES) return 0;
    if (this.database.kind === 'postgres') await this.#look(performance.now());
    return Math.min(this.#ratio * batchMs, LONGEST_PAUSE_MS);
  }

  async #look(now: number): Promise<void> {
    const last = this.#last;
    if (last !== undefined && now - last.at < this.lookEveryMs) return;
    const [row] = await statement<{ transactions: string | null }>(this.database.queries)`
      select (xact_commit + xact_rollback)::text as transactions from pg_stat_database where datname = current_database()`;
    const transactions = Number(row?.transactions ?? NaN);
    this.#last = { at: now, transactions, batches: this.#batches };
    if (last === undefined) return;
    const own = this.#batches - last.batches;
    const perSecond = ((transactions - last.transactions - own) * 1_000) / (now - last.at);
    if (Number.isNaN(perSecond)) return;
    this.#ratio = MOST_RATIO * Math.min(Math.max(perSecond / BUSY_PER_SECOND, 0), 1);
  }
}
