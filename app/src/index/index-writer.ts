// Writes to the index. Each write is one transaction together with the indexer's next state, so a deposed indexer cannot
// write.
import type { Transaction } from '../db/database.js';
import { beside, rangeOf, type IdRange } from '../db/statements.js';
import type { Batch } from './batch.js';
import type { EngineParts } from './engine.js';
import { fold, mintsOf } from './fold.js';
import type { Trade } from './trades/trade.js';
import { finalizeCurves, lockIds, numbersOf, takeIds } from './trades/store.js';
import type { IndexHooks, NewestOf, Stored } from './hooks.js';
import type { Listed } from './node-history.js';
import { tradesAmong, type UnnumberedRecord } from './records.js';
import { addAnchor, ANCHOR_SLOTS, type Place } from './store/anchors.js';
import { applyChanges, loadReserves } from './store/curves.js';
import { dropPreviews } from './store/previews.js';
import { insertRecords } from './store/records.js';
import { advance, requireNewest, type IndexerState, type StateChange } from './store/state.js';
import { setAside } from './store/unreadable.js';

/** Records of a source do not follow from those before them: it has skipped or invented some. */
export class SourceGapError extends Error {
  override readonly name = 'SourceGapError';
}

export class IndexWriter {
  readonly #parts: EngineParts;
  #state: IndexerState;
  #loggedHeld = false;
  /** Slot of the newest anchor; undefined when unknown. */
  #anchoredAt: number | undefined;
  /** The newest confirmed transaction that was previewed; undefined after previews were dropped. */
  previewed: Listed | undefined;
  /** All records of curves up to this id are final; 0 when unknown. */
  finalizedTo = 0n;
  /** How often previews were dropped. */
  drops = 0;
  /** Of the state, from the next write on. */
  waitingSlots = 0;
  /** Records that were previewed the last time. */
  previewing = 0;

  constructor(parts: EngineParts, state: IndexerState) {
    this.#parts = parts;
    this.#state = state;
  }

  get state(): IndexerState {
    return this.#state;
  }

  /** Holds booking until the RPC node has the missing history. @throws DeposedError like `write` */
  async hold(held: string): Promise<void> {
    if (!this.#loggedHeld)
      this.#parts.logger.error({ held }, 'indexing is held, and goes on when the problem in `held` is fixed');
    this.#loggedHeld = true;
    if (held === this.#state.held) return this.requireNewest();
    await this.write({ held });
  }

  /** Checks for another indexer or a reindex when there is nothing to write. @throws DeposedError */
  requireNewest(): Promise<void> {
    if (this.waitingSlots !== this.#state.waitingSlots) return this.write({});
    return requireNewest(this.#parts.database.queries, this.#state);
  }

  /**
   * Drops previews from `dropFrom` on, then stores new ones.
   *
   * @param isListed whether the RPC node has listed them all
   * @throws DeposedError like `write`; SourceGapError when they are not listed and do not follow from what is stored
   */
  async writePreviews(
    records: readonly UnnumberedRecord[],
    dropFrom: bigint | undefined,
    isListed = true,
  ): Promise<void> {
    this.previewing = records.length;
    if (records.length === 0 && dropFrom === undefined) return;
    await this.write({}, async (tx) => {
      if (dropFrom !== undefined) await this.#drop(tx, dropFrom);
      const { trades } = await this.#store(tx, records, false, isListed);
      if (trades.length > 0) await this.#notify((hooks) => hooks.onConfirmedTrades?.(tx, trades));
    });
    this.#count(records, 'confirmed');
  }

  /** Tells prices whose trades wait, beside a write that may last. @throws DeposedError */
  async tellNewest(mints: readonly string[], newest: NewestOf): Promise<void> {
    await this.#parts.database.transaction((tx) =>
      this.#notify((hooks) => hooks.onNewest?.(tx, mints, newest)),
    );
  }

  /** Writes a finalized batch. @throws DeposedError like `write` */
  async writeBatch(
    batch: Batch,
    change: StateChange,
    more?: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    await this.write(change, async (tx) => {
      if (batch.dropFrom !== undefined) await this.#drop(tx, batch.dropFrom);
      const shown =
        batch.agreedTo === undefined ? undefined : await finalizeCurves(tx, this.finalizedTo, batch.agreedTo);
      const fresh = (await this.#store(tx, batch.fresh, true)).range;
      const first = (shown ?? fresh)?.first;
      if (first !== undefined) {
        const range = { first, last: (fresh ?? shown)!.last };
        await this.#notify((hooks) => hooks.onFinalized?.(tx, range, batch.agreedTo));
      }
      await setAside(tx, batch.unreadable);
      await more?.(tx);
    });
    this.finalizedTo = batch.agreedTo ?? this.finalizedTo;
    this.#count(batch.fresh, 'finalized');
    this.#warnUnreadable(batch.unreadable);
  }

  /** Calls the hooks, one after the other. */
  async #notify(call: (hooks: IndexHooks) => Promise<void> | undefined): Promise<void> {
    for (const hooks of this.#parts.hooks) await call(hooks);
  }

  async #drop(tx: Transaction, firstId: bigint): Promise<void> {
    const { metrics, logger } = this.#parts;
    // Dropped transactions that are still confirmed must be listed again.
    this.previewed = undefined;
    this.drops += 1;
    await lockIds(tx);
    const { records, ...dropped } = await dropPreviews(tx, firstId);
    await this.#notify((hooks) => hooks.onDropped?.(tx, dropped));
    metrics.indexerDropped.inc(records);
    logger.warn({ records }, 'dropped preview records of an abandoned fork; reading the canonical ones');
  }

  /** Writes with the state's next version. @throws DeposedError when another indexer has written meanwhile */
  async write(change: StateChange, work?: (tx: Transaction) => Promise<void>): Promise<void> {
    const before = this.#state;
    const anchor = this.#anchorIn(change);
    this.#state = await this.#parts.database.transaction(async (tx) => {
      const next = await advance(tx, before, { ...change, waitingSlots: this.waitingSlots });
      await work?.(tx);
      if (anchor !== undefined) await addAnchor(tx, anchor);
      return next;
    });
    this.#anchoredAt = anchor?.slot ?? this.#anchoredAt;
    if (before.held !== undefined && this.#state.held === undefined) {
      this.#loggedHeld = false;
      this.#parts.logger.info('the node has what was missing: indexing goes on');
    }
  }

  /** The new cursor, when it is far enough from the newest anchor to become an anchor. */
  #anchorIn({ cursor }: StateChange): Place | undefined {
    if (cursor === undefined) return undefined;
    return cursor.slot >= (this.#anchoredAt ?? -Infinity) + ANCHOR_SLOTS ? cursor : undefined;
  }

  #warnUnreadable(unreadable: Batch['unreadable']): void {
    const [first] = unreadable;
    if (first === undefined) return;
    const { signature, slot, version, reason } = first;
    this.#parts.logger.warn(
      { signature, slot, version, reason, transactions: unreadable.length },
      'transactions of the program cannot be read and are set aside: upgrade Curvekit, or set RPC_URL to a node that reads them',
    );
  }

  /** Stores records and applies them to the curves. @returns the trades among them, and the ids of all */
  async #store(
    tx: Transaction,
    records: readonly UnnumberedRecord[],
    finalized: boolean,
    isListed = true,
  ): Promise<{ readonly trades: readonly Trade[]; readonly range?: IdRange }> {
    if (records.length === 0) return { trades: [] };
    const firstId = await takeIds(tx, records.length);
    const numbered = records.map((record, index) => ({ ...record, id: firstId + BigInt(index) }));
    const before = await loadReserves(tx, mintsOf(numbered));
    const trades = tradesAmong(numbered, finalized);
    const { slot } = records.at(-1)!;
    // A source whose records are not taken is not believed about prices.
    const newest: NewestOf = (mint) => (isListed ? undefined : this.#parts.source?.newestOf(mint, slot));
    const stored: Stored = { records: numbered, trades, finalized, newest };
    const numbers = await numbersOf(tx, trades);
    const { changes, gaps } = await beside(insertRecords(tx, stored, numbers), () => fold(before, numbered));
    if (gaps.length > 0 && !isListed) throw new SourceGapError();
    await applyChanges(tx, changes);
    await this.#notify((hooks) => hooks.onStored?.(tx, stored));
    for (const { mint, recordId } of gaps) {
      this.#parts.metrics.indexerGaps.inc();
      this.#parts.logger.error(
        { mint, record: String(recordId) },
        'a record does not follow from the records before it: run `curvekit reindex`',
      );
    }
    return { trades, range: rangeOf(numbered) };
  }

  #count(records: readonly UnnumberedRecord[], commitment: string): void {
    const counts = new Map<UnnumberedRecord['kind'], number>();
    for (const { kind } of records) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    for (const [kind, count] of counts) this.#parts.metrics.indexerRecords.inc({ kind, commitment }, count);
  }
}
