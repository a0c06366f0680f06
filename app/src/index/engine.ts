// Indexing has two parts. Booking follows the list of finalized transactions: each record once, in the order of the chain.
// Previewing shows newer transactions that are only confirmed. Previews that differ from the finalized list are dropped and
// read again.
import { IncompleteTransactionError, type Deployment } from '@curvekit/sdk';
import type { Database } from '../db/database.js';
import type { Logger } from '../base/logging/logging.js';
import type { Metrics } from '../base/metrics.js';
import { backlogParts } from './backlog-reader.js';
import { readBatch } from './batch.js';
import { Continuity, type Span } from './continuity.js';
import type { IndexHooks } from './hooks.js';
import { NodeError } from '../chain/node-errors.js';
import { IndexWriter } from './index-writer.js';
import { NO_SOURCE, type Source } from './feed/source.js';
import type { Listed, NodeHistory } from './node-history.js';
import { Previewer } from './previewer.js';
import { loadAnchors, type Place } from './store/anchors.js';
import { addToBacklog, backlogSpan, clearBacklog } from './store/backlog.js';
import { finalizedSince } from './store/previews.js';
import { loadState, type IndexerState } from './store/state.js';
import type { Tuning } from './tuning.js';

export interface EngineParts {
  readonly database: Database;
  readonly history: NodeHistory;
  readonly deployment: Deployment;
  readonly hooks: readonly IndexHooks[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tuning: Tuning;
  /** Undefined: the RPC node delivers everything. */
  readonly source?: Source;
}

/**
 * The blocks are checked when the finalized tip has moved further than this between two bookings. With a running RPC node
 * it moves less, with a restarting one more.
 */
const LIVE_SLOTS = 32;

/** How often a long listing may be interrupted before booking is held. */
const MOST_INTERRUPTIONS = 3;

/** Batches booked in one write at the tip, where most transactions have been shown and need no reading. */
const BATCHES_AT_TIP = 4;

/** The booked transaction at which a list ends. Without it the RPC node lists everything. */
interface Base {
  readonly until: Place | undefined;
}

/** One indexer's work while it leads. `book` and `preview` never run concurrently. */
export class IndexerEngine {
  readonly #parts: EngineParts;
  readonly #continuity: Continuity;
  readonly #writer: IndexWriter;
  readonly #previewer: Previewer;
  readonly #ahead: ReadAhead;
  /** Result of the block check, until the cursor moves. Undefined: the list ends at the cursor. */
  #base: Base | undefined;
  /** Booked transactions that the RPC node did not know when a list should end at them. */
  readonly #refused = new Set<string>();
  #interruptions = 0;
  /** The finalized slot at the last booking. */
  #tip: number | undefined;

  private constructor(parts: EngineParts, state: IndexerState) {
    this.#parts = parts;
    this.#continuity = new Continuity({
      ...parts,
      programId: parts.deployment.programId.toBase58(),
      bookedSince: (slot) => finalizedSince(parts.database.queries, slot),
    });
    this.#writer = new IndexWriter(parts, state);
    this.#previewer = new Previewer(parts, this.#writer);
    this.#ahead = new ReadAhead(parts.history);
  }

  /** @throws WrongProgramError when the database holds the index of another program */
  static async open(parts: EngineParts): Promise<IndexerEngine> {
    const state = await loadState(parts.database.queries, parts.deployment.programId.toBase58());
    return new IndexerEngine(parts, state);
  }

  get #state(): IndexerState {
    return this.#writer.state;
  }

  /** Whether everything finalized was booked at the last call, so that previews follow without a gap. */
  get isCurrent(): boolean {
    return this.#state.scannedSlot !== undefined && this.#state.listedTo === undefined && !this.isHeld;
  }

  /** Whether more is confirmed than could be shown until now: the caller goes on at once. */
  get isBehind(): boolean {
    return this.#previewer.isBehind;
  }

  /** While the index is behind, where booking stops: what is newer is shown first, and then booked without being read. */
  get #shown(): Place | undefined {
    return this.isBehind ? this.#writer.previewed : undefined;
  }

  /** Whether booking is held until the RPC node has a complete history. */
  get isHeld(): boolean {
    return this.#state.held !== undefined;
  }

  /**
   * Books the transactions finalized since the last call.
   *
   * @throws DeposedError when another indexer has written meanwhile, or a reindex was requested
   */
  async book(signal: AbortSignal): Promise<void> {
    const before = this.#state.cursor?.signature;
    try {
      await this.#book(signal);
    } catch (error) {
      const isOfNode =
        error instanceof IncompleteTransactionError || (error instanceof NodeError && error.isLasting);
      if (!isOfNode) throw error;
      await this.#hold(error.message);
    } finally {
      if (this.#state.cursor?.signature !== before) {
        this.#base = undefined;
        this.#refused.clear();
      }
    }
  }

  /** Shows transactions that are confirmed but not finalized yet. @throws DeposedError like `book` */
  preview(signal: AbortSignal): Promise<void> {
    const { readAheadFrom = Infinity } = this.#parts.tuning;
    if (this.#writer.previewing >= readAheadFrom)
      this.#ahead.begin({ cursor: this.#state.cursor, before: this.#shown }, signal);
    const since = this.#base === undefined ? this.#state.cursor : this.#base.until;
    return this.#previewer.preview(since, signal);
  }

  /** Tells prices whose trades wait. It may run beside the others. @throws DeposedError */
  tellNewest(): Promise<void> {
    return this.#previewer.tellNewest();
  }

  async #book(signal: AbortSignal): Promise<void> {
    const { history } = this.#parts;
    const ahead = await this.#ahead.take();
    const newest = ahead?.tip ?? (await history.slot('finalized', signal));
    const source = this.#parts.source ?? NO_SOURCE;
    source.compare(newest);
    // A node that has jumped may lack blocks: the check of a whole list finds out.
    const hasJumped = newest - (this.#tip ?? newest) > LIVE_SLOTS;
    const shown = ahead === undefined ? this.#shown : ahead.before;
    const before = shown !== undefined && shown.slot <= newest && !hasJumped ? shown : undefined;
    const tip = before === undefined ? newest : before.slot - 1;
    // An RPC node that lags has nothing new. `/ready` compares its slot with the booked slot.
    if (tip < (this.#state.scannedSlot ?? 0)) return this.#writer.requireNewest();
    if (this.#state.listedTo === undefined) {
      const base = await this.#baseOf({ oldest: undefined, listed: false, to: tip }, signal);
      if (base === undefined) return;
      const isAhead =
        ahead !== undefined &&
        ahead.cursor === base.until &&
        ahead.cursor === this.#state.cursor &&
        ahead.before === before;
      const list = { until: base.until, before };
      const pages = isAhead ? ahead.pages : await history.listNewest(list, this.#state.cursor?.slot, signal);
      if (pages === undefined && before !== undefined) return this.#previewer.restart();
      if (pages === undefined) return this.#refuse(base);
      if (pages.isAll) {
        const listed = this.#unbooked(pages.listed, tip).reverse();
        const span = { oldest: listed[0]?.slot, listed: true, to: tip };
        if ((await this.#baseOf(span, signal)) === undefined) return;
        await this.#bookNewest(listed, tip, signal);
        this.#tip = newest;
        source.shown(tip);
        return;
      }
      await this.#writer.write({ listedTo: pages.listed.at(-1)!.signature, listed: false }, async (tx) => {
        await clearBacklog(tx);
        await addToBacklog(tx, this.#unbooked(pages.listed, tip));
      });
    }
    await this.#bookBacklog(tip, signal);
  }

  /**
   * Where the RPC node's list of a range must end. Undefined, with booking held, when the list may lack transactions. While
   * the index follows the tip, it is the cursor, without a check.
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

  /** The RPC node does not know the transaction where its list must end. The next booking tries an older one. */
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

  /** Holds booking until the RPC node has the missing history. */
  #hold(held: string): Promise<void> {
    this.#base = undefined;
    return this.#writer.hold(held);
  }

  /** Transactions of a page that are finalized and may not be booked yet. */
  #unbooked(page: readonly Listed[], tip: number): Listed[] {
    const { cursor } = this.#state;
    return page.filter(
      ({ slot, signature }) => slot <= tip && slot >= (cursor?.slot ?? 0) && signature !== cursor?.signature,
    );
  }

  /** Books transactions from the tip back to the cursor. */
  async #bookNewest(listed: readonly Listed[], tip: number, signal: AbortSignal): Promise<void> {
    const firstSlot = this.#firstSlotWith(listed[0]?.slot);
    const most = this.#parts.tuning.batchSize * BATCHES_AT_TIP;
    for (let start = 0; ; start += most) {
      const part = listed.slice(start, start + most);
      const isLast = start + most >= listed.length;
      // The next part may have more transactions of the last slot.
      const completeTo = isLast ? tip : part.at(-1)!.slot - 1;
      const { finalizedTo } = this.#writer;
      const range = { commitment: 'finalized', listed: part, completeTo, finalizedTo } as const;
      const batch = await readBatch(this.#parts, range, signal);
      const isNews =
        part.length > 0 || batch.dropFrom !== undefined || tip !== this.#state.scannedSlot || this.isHeld;
      // Nothing to write, so check for another indexer or a reindex.
      if (!isNews) return this.#writer.requireNewest();
      const cursor = part.at(-1) ?? this.#state.cursor;
      await this.#writer.writeBatch(batch, { cursor, scannedSlot: completeTo, firstSlot, held: undefined });
      if (isLast) return;
    }
  }

  /** The program's first slot, if a list begins with its first known transaction. */
  #firstSlotWith(oldest: number | undefined): number | undefined {
    const { cursor, firstSlot } = this.#state;
    if (cursor !== undefined || oldest === undefined) return firstSlot;
    return Math.min(firstSlot ?? oldest, oldest);
  }

  /** Books a gap longer than a page: lists it into the backlog, newest first, then reads the backlog oldest first. */
  async #bookBacklog(tip: number, signal: AbortSignal): Promise<void> {
    const finished = { listed: false, listedTo: undefined };
    if (!this.#state.listed && !(await this.#listBacklog(tip, signal))) {
      await this.#writer.write(finished, (tx) => clearBacklog(tx));
      this.#interruptions += 1;
      if (this.#interruptions < MOST_INTERRUPTIONS || this.isHeld) return;
      return this.#hold(
        `listing the history was interrupted ${this.#interruptions} times: the node no longer knew transactions that it had listed; set RPC_URL to one node with full history`,
      );
    }
    this.#interruptions = 0;
    await this.#readBacklog(signal);
    await this.#writer.write({ ...finished, held: undefined }, (tx) => clearBacklog(tx));
  }

  /** @returns whether the backlog has the whole gap; a partial backlog is useless */
  async #listBacklog(tip: number, signal: AbortSignal): Promise<boolean> {
    const { history, logger, database } = this.#parts;
    if ((await history.slotOf(this.#state.listedTo!, signal)) === undefined) {
      // Another RPC node, or a pruned one. A list before an unknown transaction would be empty and look finished.
      logger.warn(
        'the node lacks the transaction at which the listing was interrupted; the listing begins again. If that repeats, set another RPC_URL',
      );
      return false;
    }
    // Checked before listing, because the RPC node may have changed, and after it, because RPC nodes prune meanwhile.
    const base = await this.#baseOf({ oldest: undefined, listed: false, to: tip }, signal);
    if (base === undefined) return false;
    for (let isLast = false; !isLast;) {
      const { cursor, listedTo } = this.#state;
      const stretch = { before: listedTo, until: base.until?.signature };
      const page = await history.list(stretch, 'finalized', signal);
      if (page === undefined) {
        logger.warn(
          'the node no longer has transactions that it listed; the listing begins again. If that repeats, set another RPC_URL',
        );
        return false;
      }
      isLast = history.isLastPage(page, cursor?.slot);
      await this.#writer.write({ listedTo: page.at(-1)?.signature ?? listedTo }, (tx) =>
        addToBacklog(tx, this.#unbooked(page, Infinity)),
      );
    }
    const span = await backlogSpan(database.queries);
    const stretch = { oldest: span?.oldest, listed: true, to: span?.newest ?? tip };
    if ((await this.#baseOf(stretch, signal)) === undefined) return false;
    await this.#writer.write({ listed: true, firstSlot: this.#firstSlotWith(span?.oldest) });
    return true;
  }

  async #readBacklog(signal: AbortSignal): Promise<void> {
    for await (const { batch, last, youngest } of backlogParts(this.#parts, signal)) {
      const change = { cursor: last, scannedSlot: last.slot - 1, held: undefined };
      await this.#writer.writeBatch(batch, change, (tx) => clearBacklog(tx, youngest));
    }
  }
}

// In a busy market the next list of finalized transactions is read while confirmed ones are written: ten pages a second take a tenth
// of the time.

type Pages = Awaited<ReturnType<NodeHistory['listNewest']>>;

/** A list, and the transactions between which it is. */
interface Ahead {
  readonly cursor: Place;
  readonly before: Place | undefined;
  readonly tip: number;
  readonly pages: Pages;
}

class ReadAhead {
  #next: Promise<Ahead | undefined> | undefined;

  constructor(private readonly history: Pick<NodeHistory, 'slot' | 'listNewest'>) {}

  /** Begins to read what follows the cursor, unless a list waits to be taken. */
  begin(range: { cursor: Place | undefined; before: Place | undefined }, signal: AbortSignal): void {
    const { cursor, before } = range;
    if (cursor !== undefined) this.#next ??= this.#read({ cursor, before }, signal);
  }

  /** The list, once; undefined when none was begun, or the node did not answer. */
  take(): Promise<Ahead | undefined> {
    const next = this.#next;
    this.#next = undefined;
    return next ?? Promise.resolve(undefined);
  }

  async #read(range: Pick<Ahead, 'cursor' | 'before'>, signal: AbortSignal): Promise<Ahead | undefined> {
    const { cursor, before } = range;
    try {
      const tip = await this.history.slot('finalized', signal);
      // What is shown is not final yet: the list then ends at the finalized slot.
      const end = before !== undefined && before.slot <= tip ? before : undefined;
      const list = { until: cursor, before: end };
      return { cursor, before: end, tip, pages: await this.history.listNewest(list, cursor.slot, signal) };
    } catch {
      // The caller asks again, and says what is wrong.
      return undefined;
    }
  }
}
