// The websocket only signals that there is something new. The transactions always come from the node's list of
// signatures, from the last seen one on. So a lost notification, a reconnect or a restart loses and repeats nothing.
// Nodes can list a transaction after later ones, so the last slots are listed repeatedly.
import type { ConfirmedSignatureInfo, Connection, Finality, PublicKey } from '../../chain/types.js';
import { CurvekitError } from '../../errors/index.js';
import type { RecordSource } from '../../records/record.js';
import type { ConfirmedTransaction } from '../../records/transaction.js';
import { Announcements } from './announcements.js';
import { LookBack, type ListedTransaction } from './look-back.js';
import { SubscribedNode } from './node.js';
import { ClosedError, Pauses } from './pauses.js';

const PAGE_SIZE = 1_000;
/** The most transactions, besides one page, that are listed before the first of them is read. */
const MOST_LISTED = 10_000;
/** Interval of listing the last slots again while no transaction is known to be missing. */
const LOOK_BACK_EVERY_MS = 1_000;
/** The same interval while an announced transaction is missing from the list. */
const LOOK_BACK_AT_ONCE_MS = 100;
/** How long an announced transaction may take to appear in the node's list, and a listed one to become readable. */
const GRACE_MS = 10_000;
/** No node prunes transactions younger than this. */
const SHORTEST_HISTORY_MS = 60_000;
const SHORT_PAUSE_MS = 50;

/** A transaction of the program as the node lists it. */
interface FreshTransaction extends ListedTransaction {
  readonly failed: boolean;
}

export interface TransactionsOptions {
  /** An address that each transaction mentions. */
  readonly address: PublicKey;
  readonly from: 'now' | 'genesis' | RecordSource;
  readonly commitment: Finality;
  readonly pollIntervalMs: number;
  readonly concurrency: number;
  readonly readTimeoutMs: number | undefined;
  readonly onError: ((error: unknown) => void) | undefined;
  /** When false, the source ends where it would deliver `'caughtUp'`. */
  readonly live: boolean;
}

export class NodeTransactions {
  readonly ready: Promise<void>;
  readonly #connection: Connection;
  readonly #options: TransactionsOptions;
  readonly #listener: number | undefined;
  /** The processed transactions. */
  readonly #past = new LookBack();
  /**
   * The starts of the parts of a long list that are not read yet, the oldest part last. Undefined for the head of the
   * list.
   */
  readonly #parts: (string | undefined)[] = [];
  /** Without `live`: the newest slot at the start. */
  #lastSlot = Infinity;
  #lookedBackAt = -Infinity;
  /** When the node last returned a list. Wall-clock time, so that the time in which the computer sleeps counts. */
  #listedAt = Date.now();
  readonly #announced = new Announcements(GRACE_MS);
  readonly #pauses = new Pauses();
  readonly #node: SubscribedNode;
  #started = false;

  constructor(connection: Connection, options: TransactionsOptions) {
    this.#connection = connection;
    this.#options = options;
    const { address, commitment, onError, live, readTimeoutMs } = options;
    const pauses = this.#pauses;
    const limits = { graceMs: GRACE_MS, readTimeoutMs };
    this.#node = new SubscribedNode({ connection, commitment, pauses, onError, ...limits });
    if (live) {
      this.#listener = connection.onLogs(
        address,
        ({ signature, err }, { slot }) => this.#announce(signature, slot, err !== null),
        commitment,
      );
    }
    this.ready = this.#begin();
    // A caller that does not await `ready` gets the error from the iteration.
    this.ready.catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.#pauses.closed) return;
    this.#pauses.close();
    if (this.#listener !== undefined) await this.#connection.removeOnLogsListener(this.#listener);
  }

  /** Yields the transaction of the record to resume after, the later ones, and `'caughtUp'` once. */
  async *run(): AsyncGenerator<ConfirmedTransaction | 'caughtUp'> {
    if (this.#started) throw new CurvekitError('a subscription can be iterated once; subscribe again');
    this.#started = true;
    const { from, live, pollIntervalMs } = this.#options;
    try {
      await this.ready;
      const first = typeof from === 'object' ? await this.#node.fetch(from.signature) : undefined;
      if (first !== undefined) yield first;
      for (let isBehind = true; ;) {
        const fresh = await this.#listFresh();
        yield* this.#read(fresh);
        if (this.#parts.length > 0) continue;
        if (!live) return;
        if (isBehind && fresh.length < PAGE_SIZE) {
          isBehind = false;
          yield 'caughtUp';
        }
        if (fresh.length === 0)
          await this.#pauses.wait(this.#announced.isEmpty ? pollIntervalMs : SHORT_PAUSE_MS);
      }
    } catch (error) {
      if (!(error instanceof ClosedError)) throw error;
    } finally {
      await this.close();
    }
  }

  /** Fixes the start: the newest transaction that must not be delivered. */
  async #begin(): Promise<void> {
    const { address, from } = this.#options;
    if (from === 'genesis') return;
    if (from !== 'now') {
      this.#past.begin(from);
    } else {
      const [latest] = (await this.#node.list(address, { limit: 1 })) ?? [];
      if (latest !== undefined) this.#past.begin(latest);
    }
    this.#announced.deleteIf((signature, slot) => this.#past.has(signature, slot));
  }

  /**
   * Lists the unprocessed transactions, oldest first. Nodes list the newest first. Of a long list only the oldest part
   * is held in memory; of each other part only its start, so that it can be listed again later.
   */
  async #listFresh(): Promise<FreshTransaction[]> {
    const now = Date.now();
    const interval = this.#announced.hasUpTo(this.#past.newest?.slot ?? -1)
      ? LOOK_BACK_AT_ONCE_MS
      : LOOK_BACK_EVERY_MS;
    let before = this.#parts.pop();
    const looksBack = before === undefined && now - this.#lookedBackAt >= interval;
    const until = looksBack ? this.#past.settled : this.#past.newest;
    let headSlot = 0;
    const fresh: FreshTransaction[] = [];
    /** Start of the transactions in `fresh`. */
    let partBefore = before;
    let namesUntil = until !== undefined;
    for (;;) {
      const page = await this.#listPage(before, namesUntil ? until?.signature : undefined);
      if (page === undefined) {
        // The node has pruned one of the two transactions, or a reorg dropped it. List again from the head, and end by
        // slot.
        if (namesUntil) await this.#requireHistoryFrom(until);
        else await this.#pauses.wait(SHORT_PAUSE_MS);
        namesUntil = false;
        before = partBefore = undefined;
        fresh.length = this.#parts.length = 0;
        continue;
      }
      for (const { signature, slot, err } of page) {
        headSlot = Math.max(headSlot, slot);
        if (slot > this.#lastSlot || this.#past.has(signature, slot)) continue;
        if (fresh.length >= MOST_LISTED) {
          this.#parts.push(partBefore);
          partBefore = fresh.at(-1)!.signature;
          fresh.length = 0;
        }
        fresh.push({ signature, slot, failed: err !== null });
      }
      const last = page.at(-1);
      // A node that no longer knows `until` also lists everything before it.
      if (last === undefined || page.length < PAGE_SIZE || (until !== undefined && last.slot < until.slot))
        break;
      before = last.signature;
    }
    if (!this.#options.live) this.#lastSlot = Math.min(this.#lastSlot, headSlot);
    const missingFrom = this.#announced.missingFrom(fresh);
    if (looksBack) {
      this.#lookedBackAt = now;
      this.#past.listed(headSlot, missingFrom);
    }
    return fresh.reverse().filter(({ slot }) => slot < missingFrom);
  }

  /** A page of the list. Undefined when the node does not know the transaction `before` or `until`. */
  async #listPage(
    before: string | undefined,
    until: string | undefined,
  ): Promise<ConfirmedSignatureInfo[] | undefined> {
    const page = await this.#node.list(this.#options.address, {
      limit: PAGE_SIZE,
      ...(until === undefined ? {} : { until }),
      ...(before === undefined ? {} : { before }),
    });
    if (page !== undefined) this.#listedAt = Date.now();
    return page;
  }

  /**
   * Transactions that were pruned since the last list cannot be listed. @throws CurvekitError when there may be such
   * transactions
   */
  async #requireHistoryFrom(until: ListedTransaction | undefined): Promise<void> {
    if (until === undefined || Date.now() - this.#listedAt < SHORTEST_HISTORY_MS) return;
    const first = await this.#node.firstAvailableBlock();
    if (first <= until.slot) return;
    throw new CurvekitError(
      `the RPC node's history begins with slot ${first}, after the last transaction that this subscription has seen (slot ` +
        `${until.slot}); subscribe from there at a node with full history`,
    );
  }

  async *#read(listed: readonly FreshTransaction[]): AsyncGenerator<ConfirmedTransaction> {
    const ahead: Promise<ConfirmedTransaction | undefined>[] = [];
    for (const [index, transaction] of listed.entries()) {
      for (const next of listed.slice(index + ahead.length, index + this.#options.concurrency)) {
        const fetched = next.failed ? Promise.resolve(undefined) : this.#node.fetch(next.signature);
        // It is awaited later. Until then a rejection must not count as unhandled.
        fetched.catch(() => undefined);
        ahead.push(fetched);
      }
      const response = await ahead.shift();
      if (response !== undefined) yield response;
      this.#past.add(transaction);
      this.#announced.delete(transaction.signature);
    }
  }

  #announce(signature: string, slot: number, failed: boolean): void {
    if (failed || this.#past.has(signature, slot)) return;
    this.#announced.add(signature, slot);
    this.#pauses.wake();
  }
}
