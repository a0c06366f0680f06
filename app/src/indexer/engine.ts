// The two halves of indexing. Booking follows the list of finalized transactions, which is the truth: what it has passed
// is exactly what is on the chain, each record once, in order. Previewing shows confirmed transactions ahead of that;
// where the truth turns out different, the previews from there on are dropped and read anew.
import { IncompleteTransactionError, type Deployment } from '@curvekit/sdk';
import type { Database, Transaction } from '../db/database.js';
import type { Logger } from '../logging/logging.js';
import type { Metrics } from '../metrics.js';
import { readBatch, type Batch, type BatchSource } from './batch.js';
import { Continuity, type Span } from './continuity.js';
import { fold, mintsOf } from './fold.js';
import type { TradeHooks } from './hooks.js';
import { decode, type Found, type Settled } from './found.js';
import { NodeError } from '../rpc/node-errors.js';
import type { Listed, NodeHistory } from './node-history.js';
import { tradesAmong, type NumberedRecord, type UnnumberedRecord } from './records.js';
import { addAnchor, ANCHOR_SLOTS, loadAnchors, type Place } from './store/anchors.js';
import { addToBacklog, backlogSpan, clearBacklog, readBacklog } from './store/backlog.js';
import { applyChanges, loadReserves } from './store/curves.js';
import { dropPreviews, finalizedSince, finalizePreviews, storedAmong } from './store/previews.js';
import { insertRecords, takeIds } from './store/records.js';
import { advance, loadState, requireNewest, type IndexerState, type StateChange } from './store/state.js';
import { setAside } from './store/unreadable.js';
import type { Tuning } from './tuning.js';

/** What the engine works with. */
export interface EngineParts {
  readonly database: Database;
  readonly history: NodeHistory;
  readonly deployment: Deployment;
  readonly hooks: TradeHooks;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tuning: Tuning;
}

/**
 * How far the finalized tip may move on between two looks without a look at the blocks: more than it ever does while a node
 * runs, less than what passes while one starts.
 */
const LIVE_SLOTS = 32;

/** How often a long listing may break off before the operator is told. */
const MOST_INTERRUPTIONS = 3;

/** The booked transaction at which the node's list ends; without it the node lists everything. */
interface Base {
  readonly until: Place | undefined;
}

/** One indexer's work while it leads. Its methods are called one after the other. */
export class IndexerEngine {
  readonly #parts: EngineParts;
  readonly #source: BatchSource;
  readonly #continuity: Continuity;
  #state: IndexerState;
  #saidHeld = false;
  /** What a look at the blocks found, as long as the cursor stays; undefined for the cursor itself. */
  #base: Base | undefined;
  /** Booked transactions that the node did not know when it was to list down to them. */
  readonly #refused = new Set<string>();
  #interruptions = 0;
  /** Slot of the newest anchor; undefined when it is not known. */
  #anchoredAt: number | undefined;
  /** The newest confirmed transaction that was previewed. */
  #previewed: Listed | undefined;

  private constructor(parts: EngineParts, state: IndexerState) {
    this.#parts = parts;
    this.#source = { ...parts, queries: parts.database.queries };
    this.#continuity = new Continuity({
      ...parts,
      programId: parts.deployment.programId.toBase58(),
      bookedSince: (slot) => finalizedSince(parts.database.queries, slot),
    });
    this.#state = state;
  }

  /** @throws WrongProgramError when the database holds the index of another program */
  static async open(parts: EngineParts): Promise<IndexerEngine> {
    const state = await loadState(parts.database.queries, parts.deployment.programId.toBase58());
    return new IndexerEngine(parts, state);
  }

  /** Whether everything finalized was booked at the last look, so that previews follow it without a gap. */
  get isCurrent(): boolean {
    return this.#state.scannedSlot !== undefined && this.#state.listedTo === undefined && !this.isHeld;
  }

  /** Whether nothing is booked until the node has a whole history. */
  get isHeld(): boolean {
    return this.#state.held !== undefined;
  }

  /**
   * Books what has been finalized since the last call.
   *
   * @throws DeposedError when another indexer has written meanwhile, or the index is to be rebuilt
   */
  async book(signal: AbortSignal): Promise<void> {
    try {
      await this.#book(signal);
    } catch (error) {
      const isOfNode =
        error instanceof IncompleteTransactionError || (error instanceof NodeError && error.isLasting);
      if (!isOfNode) throw error;
      await this.#hold(error.message);
    }
  }

  async #book(signal: AbortSignal): Promise<void> {
    const { history } = this.#parts;
    const tip = await history.slot('finalized', signal);
    // A node that is behind has nothing new; `/ready` compares its slot with what is booked.
    if (tip < (this.#state.scannedSlot ?? 0)) return this.#requireNewest();
    if (this.#state.listedTo === undefined) {
      const base = await this.#baseOf({ oldest: undefined, listed: false, to: tip }, signal);
      if (base === undefined) return;
      const { cursor } = this.#state;
      const page = await history.list({ until: base.until?.signature }, 'finalized', signal);
      if (page === undefined) return this.#refuse(base);
      if (history.isLastPage(page, cursor?.slot)) {
        const listed = this.#unbooked(page, tip).reverse();
        const span = { oldest: listed[0]?.slot, listed: true, to: tip };
        if ((await this.#baseOf(span, signal)) !== undefined) await this.#bookNewest(listed, tip, signal);
        return;
      }
      await this.#write({ listedTo: page.at(-1)!.signature, listed: false }, async (tx) => {
        await clearBacklog(tx);
        await addToBacklog(tx, this.#unbooked(page, tip));
      });
    }
    await this.#bookBacklog(tip, signal);
  }

  /**
   * Down to where the node is to list a stretch, once nothing is missing from its list; undefined when something may be, and
   * nothing is booked. While the index follows the tip, the cursor is believed to be there.
   */
  async #baseOf(
    stretch: Pick<Span, 'oldest' | 'listed' | 'to'>,
    signal: AbortSignal,
  ): Promise<Base | undefined> {
    const { cursor, scannedSlot, firstSlot } = this.#state;
    const after =
      scannedSlot === undefined ? cursor?.slot : Math.max(scannedSlot, cursor?.slot ?? scannedSlot);
    const isLive = !this.isHeld && after !== undefined && stretch.to - after <= LIVE_SLOTS;
    if (isLive && this.#base !== undefined) return this.#base;
    if (isLive && this.#refused.size === 0) return { until: cursor };
    const anchors = await loadAnchors(this.#parts.database.queries);
    const finding = await this.#continuity.examine(
      { ...stretch, after, cursor, anchors, refused: this.#refused, firstSlot },
      signal,
    );
    if (finding.problem !== undefined) {
      const advice = finding.isAdvised === true ? '' : '; set RPC_URL to a node with full history';
      await this.#hold(finding.problem + advice);
      return undefined;
    }
    this.#base = { until: finding.until };
    return this.#base;
  }

  /** The node does not know the transaction that it was to list down to: the next look tries an older one. */
  #refuse({ until }: Base): Promise<void> {
    this.#base = undefined;
    if (until === undefined)
      return this.#hold('the node cannot list the transactions of the program (-32020)');
    this.#refused.add(until.signature);
    this.#parts.logger.info(
      { signature: until.signature, slot: until.slot },
      'the node does not know it any more',
    );
    return Promise.resolve();
  }

  /** Nothing is booked until the node has what is missing. */
  async #hold(held: string): Promise<void> {
    if (!this.#saidHeld) this.#parts.logger.error({ held }, 'nothing is indexed until this is mended');
    this.#saidHeld = true;
    this.#base = undefined;
    if (held === this.#state.held) return this.#requireNewest();
    await this.#write({ held }, () => Promise.resolve());
  }

  /** Another process may have begun to index, or a reindex. @throws DeposedError */
  #requireNewest(): Promise<void> {
    return requireNewest(this.#parts.database.queries, this.#state);
  }

  /** Shows transactions that are confirmed but not finalized yet. @throws DeposedError as `book` */
  async preview(signal: AbortSignal): Promise<void> {
    const { cursor } = this.#state;
    const previewed = this.#previewed;
    if (previewed !== undefined && previewed.slot >= (cursor?.slot ?? 0)) {
      const [slot, listed] = await Promise.all([
        this.#parts.history.slotOf(previewed.signature, signal),
        this.#confirmedSince(previewed, signal),
      ]);
      // Elsewhere or nowhere now, it was on a fork that has lost, and others with it.
      if (slot === previewed.slot && listed !== undefined) return this.#previewMore(listed, signal);
    }
    const listed = await this.#confirmedSince(this.#base === undefined ? cursor : this.#base.until, signal);
    // The next booking finds out what the node still knows.
    if (listed === undefined) return;
    await this.#previewAll(listed, signal);
  }

  /** Adds previews to those that there are. */
  async #previewMore(listed: readonly Listed[], signal: AbortSignal): Promise<void> {
    const { history, database, deployment } = this.#parts;
    const stored = await storedAmong(database.queries, signaturesOf(listed));
    const wanted = listed.filter(({ signature, failed }) => !failed && !stored.has(signature));
    const found = await history.find(wanted, 'confirmed', signal);
    // One that the node does not find yet is waited for, with those after it: the next look begins there.
    const missing = found.findIndex(({ kind }) => kind === 'missing');
    const usable = (missing === -1 ? found : found.slice(0, missing)).filter(isSettled);
    const records = usable.flatMap((one) => {
      const decoded = decode(one, deployment);
      return decoded.kind === 'records' ? decoded.records : [];
    });
    await this.#writePreviews(records, undefined);
    const end = missing === -1 ? listed.length : listed.indexOf(wanted[missing]!);
    this.#previewed = listed[end - 1] ?? this.#previewed;
  }

  /** Makes the previews what is confirmed after the cursor. */
  async #previewAll(listed: readonly Listed[], signal: AbortSignal): Promise<void> {
    const range = { commitment: 'confirmed', listed, completeTo: Infinity } as const;
    const { dropFrom, fresh } = await readBatch(this.#source, range, signal);
    await this.#writePreviews(fresh, dropFrom);
    this.#previewed = listed.at(-1);
  }

  async #writePreviews(records: readonly UnnumberedRecord[], dropFrom: bigint | undefined): Promise<void> {
    if (records.length === 0 && dropFrom === undefined) return;
    await this.#write({}, async (tx) => {
      if (dropFrom !== undefined) await this.#drop(tx, dropFrom);
      const trades = tradesAmong(await this.#store(tx, records, false));
      if (trades.length > 0) await this.#parts.hooks.onConfirmedTrades(tx, trades);
    });
    this.#count(records, 'confirmed');
  }

  /**
   * What is listed as confirmed after a transaction, oldest first; after an unknown one undefined, or at least what came
   * after it.
   */
  async #confirmedSince(since: Place | undefined, signal: AbortSignal): Promise<Listed[] | undefined> {
    const { history } = this.#parts;
    const listed: Listed[] = [];
    // Before the cursor everything is booked.
    const downTo = Math.max(since?.slot ?? 0, this.#state.cursor?.slot ?? 0);
    for (let before: string | undefined; ;) {
      const page = await history.list({ until: since?.signature, before }, 'confirmed', signal);
      if (page === undefined) return undefined;
      listed.push(...page);
      if (history.isLastPage(page, downTo)) break;
      before = page.at(-1)!.signature;
    }
    return listed.reverse().filter(({ slot }) => slot >= downTo);
  }

  /** Of a page, what is finalized and may not be booked yet. */
  #unbooked(page: readonly Listed[], tip: number): Listed[] {
    const { cursor } = this.#state;
    return page.filter(
      ({ slot, signature }) => slot <= tip && slot >= (cursor?.slot ?? 0) && signature !== cursor?.signature,
    );
  }

  /** Books a page that reaches back to the cursor. */
  async #bookNewest(listed: readonly Listed[], tip: number, signal: AbortSignal): Promise<void> {
    const range = { commitment: 'finalized', listed, completeTo: tip } as const;
    const batch = await readBatch(this.#source, range, signal);
    const isNews =
      listed.length > 0 || batch.dropFrom !== undefined || tip !== this.#state.scannedSlot || this.isHeld;
    // Nothing to write is no reason not to notice that the index is another's now, or is to be rebuilt.
    if (!isNews) return this.#requireNewest();
    const cursor = listed.at(-1) ?? this.#state.cursor;
    const firstSlot = this.#firstSlotWith(listed[0]?.slot);
    await this.#writeBatch(batch, { cursor, scannedSlot: tip, firstSlot, held: undefined });
  }

  /** The program's first slot, when the oldest transaction of a list is its first one for all that is known. */
  #firstSlotWith(oldest: number | undefined): number | undefined {
    const { cursor, firstSlot } = this.#state;
    if (cursor !== undefined || oldest === undefined) return firstSlot;
    return Math.min(firstSlot ?? oldest, oldest);
  }

  /** Books a gap longer than a page: lists it into the backlog, newest first, then reads that from its other end. */
  async #bookBacklog(tip: number, signal: AbortSignal): Promise<void> {
    const finished = { listed: false, listedTo: undefined };
    if (!this.#state.listed && !(await this.#listBacklog(tip, signal))) {
      await this.#write(finished, (tx) => clearBacklog(tx));
      this.#interruptions += 1;
      if (this.#interruptions < MOST_INTERRUPTIONS || this.isHeld) return;
      return this.#hold(
        `the listing of the history broke off ${this.#interruptions} times, as the node did not know what it had listed; set RPC_URL to one node with full history`,
      );
    }
    this.#interruptions = 0;
    await this.#readBacklog(signal);
    await this.#write({ ...finished, held: undefined }, (tx) => clearBacklog(tx));
  }

  /** @returns whether all of the gap is in the backlog; what is there otherwise is of no use */
  async #listBacklog(tip: number, signal: AbortSignal): Promise<boolean> {
    const { history, logger, database } = this.#parts;
    if ((await history.slotOf(this.#state.listedTo!, signal)) === undefined) {
      // Another node, or one that has forgotten: a place unknown to it would look like the end of the list.
      logger.warn('the node does not know where the listing was interrupted: it begins again');
      return false;
    }
    // Before anything is listed, as the node may be another one than before; and after it, as nodes forget meanwhile.
    const base = await this.#baseOf({ oldest: undefined, listed: false, to: tip }, signal);
    if (base === undefined) return false;
    for (let isLast = false; !isLast;) {
      const { cursor, listedTo } = this.#state;
      const stretch = { before: listedTo, until: base.until?.signature };
      const page = await history.list(stretch, 'finalized', signal);
      if (page === undefined) {
        logger.warn('the node does not know any more what it has listed: the listing begins again');
        return false;
      }
      isLast = history.isLastPage(page, cursor?.slot);
      await this.#write({ listedTo: page.at(-1)?.signature ?? listedTo }, (tx) =>
        addToBacklog(tx, this.#unbooked(page, Infinity)),
      );
    }
    const span = await backlogSpan(database.queries);
    const stretch = { oldest: span?.oldest, listed: true, to: span?.newest ?? tip };
    if ((await this.#baseOf(stretch, signal)) === undefined) return false;
    await this.#write({ listed: true, firstSlot: this.#firstSlotWith(span?.oldest) }, () =>
      Promise.resolve(),
    );
    return true;
  }

  /** Reads each part of the backlog while the one before it is written. */
  async #readBacklog(signal: AbortSignal): Promise<void> {
    const readNext = (after: bigint | undefined) => settled(this.#readPart(after, signal));
    for (let next = readNext(undefined); ;) {
      const part = await next.result;
      if (part === undefined) return;
      const { batch, last, youngest } = part;
      // How a part compares with previews depends on what the part before it has left of them.
      if (batch.independent) next = readNext(youngest);
      await this.#writeBatch(batch, { cursor: last, scannedSlot: last.slot - 1, held: undefined }, (tx) =>
        clearBacklog(tx, youngest),
      );
      if (!batch.independent) next = readNext(youngest);
    }
  }

  async #readPart(after: bigint | undefined, signal: AbortSignal) {
    const part = await readBacklog(this.#source.queries, after, this.#parts.tuning.batchSize);
    const last = part?.listed.at(-1);
    if (part === undefined || last === undefined) return undefined;
    // The rest of the last transaction's slot may be in the next part.
    const range = { commitment: 'finalized', listed: part.listed, completeTo: last.slot - 1 } as const;
    const batch = await readBatch(this.#source, range, signal);
    return { batch, last, youngest: part.youngest };
  }

  async #writeBatch(
    batch: Batch,
    change: StateChange,
    more: (tx: Transaction) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    await this.#write(change, async (tx) => {
      if (batch.dropFrom !== undefined) await this.#drop(tx, batch.dropFrom);
      const trades = batch.agreedTo === undefined ? [] : await finalizePreviews(tx, batch.agreedTo);
      trades.push(...tradesAmong(await this.#store(tx, batch.fresh, true)));
      if (trades.length > 0) await this.#parts.hooks.onFinalizedTrades(tx, trades);
      await setAside(tx, batch.unreadable);
      await more(tx);
    });
    this.#count(batch.fresh, 'finalized');
    this.#sayUnreadable(batch.unreadable);
  }

  async #drop(tx: Transaction, firstId: bigint): Promise<void> {
    const { metrics, logger } = this.#parts;
    // Whatever of them is still confirmed is listed anew.
    this.#previewed = undefined;
    const records = await dropPreviews(tx, firstId);
    metrics.indexerDropped.inc(records);
    logger.warn({ records }, 'records of a lost fork are dropped');
  }

  /** Writes with the state's next version. @throws DeposedError when another indexer has written meanwhile */
  async #write(change: StateChange, work: (tx: Transaction) => Promise<void>): Promise<void> {
    const before = this.#state;
    const anchor = this.#anchorIn(change);
    this.#state = await this.#parts.database.transaction(async (tx) => {
      const next = await advance(tx, before, change);
      await work(tx);
      if (anchor !== undefined) await addAnchor(tx, anchor);
      return next;
    });
    this.#anchoredAt = anchor?.slot ?? this.#anchoredAt;
    if (this.#state.cursor?.signature !== before.cursor?.signature) {
      this.#base = undefined;
      this.#refused.clear();
    }
    if (before.held !== undefined && !this.isHeld) {
      this.#saidHeld = false;
      this.#parts.logger.info('the node has what was missing: indexing goes on');
    }
  }

  /** The new cursor, when it is far enough from the newest anchor to become one. */
  #anchorIn({ cursor }: StateChange): Place | undefined {
    if (cursor === undefined) return undefined;
    return cursor.slot >= (this.#anchoredAt ?? -Infinity) + ANCHOR_SLOTS ? cursor : undefined;
  }

  #sayUnreadable(unreadable: Batch['unreadable']): void {
    const [first] = unreadable;
    if (first === undefined) return;
    const { signature, slot, version, reason } = first;
    this.#parts.logger.warn(
      { signature, slot, version, reason, transactions: unreadable.length },
      'transactions of the program cannot be read and are set aside: upgrade Curvekit, or set RPC_URL to a node that reads them',
    );
  }

  /** Stores records and folds them into the curves. */
  async #store(
    tx: Transaction,
    records: readonly UnnumberedRecord[],
    finalized: boolean,
  ): Promise<NumberedRecord[]> {
    if (records.length === 0) return [];
    const firstId = await takeIds(tx, records.length);
    const numbered = records.map((record, index) => ({ ...record, id: firstId + BigInt(index) }));
    const { changes, gaps } = fold(await loadReserves(tx, mintsOf(numbered)), numbered);
    await insertRecords(tx, numbered, finalized);
    await applyChanges(tx, changes);
    for (const { mint, recordId } of gaps) {
      this.#parts.metrics.indexerGaps.inc();
      this.#parts.logger.error(
        { mint, record: String(recordId) },
        'a record does not follow from those before it',
      );
    }
    return numbered;
  }

  #count(records: readonly UnnumberedRecord[], commitment: string): void {
    for (const { kind } of records) this.#parts.metrics.indexerRecords.inc({ kind, commitment });
  }
}

function isSettled(found: Found): found is Settled {
  return found.kind !== 'missing';
}

function signaturesOf(listed: readonly Listed[]): string[] {
  return listed.map(({ signature }) => signature);
}

/** A promise that is awaited later: until then its failure does not count as unhandled. */
function settled<T>(result: Promise<T>): { readonly result: Promise<T> } {
  result.catch(() => undefined);
  return { result };
}
