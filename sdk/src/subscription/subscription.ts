// The websocket only says when to look. What there is to see is always read from the node's list of signatures, from the last
// one seen: a lost notification, a reconnect or a restart loses and repeats nothing. Nodes can list a transaction after later
// ones; the last slots are therefore looked through again and again.
import type { ConfirmedSignatureInfo, Connection } from '@solana/web3.js';
import { NEWEST_KNOWN_VERSION } from '../confirmed-transaction.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from '../deployment.js';
import { CurvekitError, UnreadableTransactionError } from '../errors.js';
import { decodeEveryRecord } from '../records/decode.js';
import type { CurveRecord, UnknownRecord } from '../records/record.js';
import { requireRecordSource } from '../records/record-source.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import { requireInteger } from '../validation.js';
import { Announcements } from './announcements.js';
import { LookBack, type ListedTransaction } from './look-back.js';
import { SubscribedNode } from './node.js';
import type { SubscriptionOptions } from './options.js';
import { ClosedError, Pauses } from './pauses.js';

const PAGE_SIZE = 1_000;
/** How often to list the last slots again while nothing is known to be missing. */
const LOOK_BACK_EVERY_MS = 1_000;
/** How often while an announced transaction is missing among them. */
const LOOK_BACK_AT_ONCE_MS = 100;
/** How long a notified transaction may take to show in the node's list, and a listed one to be readable. */
const GRACE_MS = 10_000;
/** No node prunes younger transactions. */
const SHORTEST_HISTORY_MS = 60_000;
const SHORT_PAUSE_MS = 50;

/** A transaction of the program, as the node lists it. */
interface FreshTransaction extends ListedTransaction {
  readonly failed: boolean;
}

export class Subscription {
  readonly ready: Promise<void>;
  private readonly deployment: Deployment;
  private readonly pollIntervalMs: number;
  private readonly concurrency: number;
  private readonly listener: number;
  /** The transactions that were processed. */
  private readonly past = new LookBack();
  private lookedBackAt = -Infinity;
  /** When the node last answered with a list. By the wall clock, so that the time a computer sleeps counts. */
  private listedAt = Date.now();
  private readonly announced = new Announcements(GRACE_MS);
  private readonly pauses = new Pauses();
  private readonly node: SubscribedNode;
  private started = false;

  constructor(
    private readonly connection: Connection,
    private readonly options: SubscriptionOptions,
  ) {
    this.deployment = options.deployment ?? DEFAULT_DEPLOYMENT;
    this.pollIntervalMs = requireInteger('pollIntervalMs', options.pollIntervalMs ?? 2_000, 3_600_000, 1);
    this.concurrency = requireInteger('concurrency', options.concurrency ?? 8, 1_000, 1);
    const { from, onError, commitment = 'confirmed' } = options;
    if (from !== undefined && from !== 'now' && from !== 'genesis') requireRecordSource('from', from);
    this.node = new SubscribedNode({
      connection,
      commitment,
      pauses: this.pauses,
      onError,
      graceMs: GRACE_MS,
    });
    this.listener = connection.onLogs(
      this.deployment.programId,
      ({ signature, err }, { slot }) => this.announce(signature, slot, err !== null),
      commitment,
    );
    this.ready = this.begin();
    // A caller that does not wait for it meets the error in the iteration.
    this.ready.catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.pauses.closed) return;
    this.pauses.close();
    await this.connection.removeOnLogsListener(this.listener);
  }

  async *run(): AsyncGenerator<CurveRecord | UnknownRecord> {
    if (this.started) throw new CurvekitError('a subscription can be iterated once; subscribe again');
    this.started = true;
    try {
      await this.ready;
      yield* this.restOfFirst();
      for (;;) {
        const fresh = await this.listFresh();
        yield* this.recordsOf(fresh);
        if (fresh.length === 0)
          await this.pauses.wait(this.announced.isEmpty ? this.pollIntervalMs : SHORT_PAUSE_MS);
      }
    } catch (error) {
      if (!(error instanceof ClosedError)) throw error;
    } finally {
      await this.close();
    }
  }

  /** Fixes the beginning: the newest transaction that is not wanted. */
  private async begin(): Promise<void> {
    const { from = 'now' } = this.options;
    if (from === 'genesis') return;
    if (from !== 'now') {
      this.past.begin(from);
    } else {
      const [latest] = (await this.node.list(this.deployment.programId, { limit: 1 })) ?? [];
      if (latest !== undefined) this.past.begin(latest);
    }
    this.announced.deleteIf((signature, slot) => this.past.has(signature, slot));
  }

  /** The records that the transaction of `from` made after the one given there. */
  private async *restOfFirst(): AsyncGenerator<CurveRecord | UnknownRecord> {
    const { from } = this.options;
    if (typeof from !== 'object') return;
    const { outer, inner } = from.position;
    const first = await this.node.fetch(from.signature);
    for (const record of first === undefined ? [] : this.decode(first)) {
      const { position } = record;
      if (position.outer > outer || (position.outer === outer && position.inner > inner)) yield record;
    }
  }

  /** The transactions that were not processed yet, oldest first. */
  private async listFresh(): Promise<FreshTransaction[]> {
    const now = Date.now();
    const interval = this.announced.hasUpTo(this.past.newest?.slot ?? -1)
      ? LOOK_BACK_AT_ONCE_MS
      : LOOK_BACK_EVERY_MS;
    const looksBack = now - this.lookedBackAt >= interval;
    const until = looksBack ? this.past.settled : this.past.newest;
    let headSlot = 0;
    const fresh: FreshTransaction[] = [];
    let before: string | undefined;
    let namesUntil = until !== undefined;
    for (;;) {
      const page = await this.listPage(before, namesUntil ? until?.signature : undefined);
      if (page === undefined) {
        // The node has pruned one of the two, or a fork took it away: the list begins again, and slots tell where it ends.
        if (namesUntil) await this.requireHistoryFrom(until);
        else await this.pauses.wait(SHORT_PAUSE_MS);
        namesUntil = false;
        before = undefined;
        fresh.length = 0;
        continue;
      }
      for (const { signature, slot, err } of page) {
        headSlot = Math.max(headSlot, slot);
        if (!this.past.has(signature, slot)) fresh.push({ signature, slot, failed: err !== null });
      }
      const last = page.at(-1);
      // A node that does not know that one any more lists everything before it as well.
      if (last === undefined || page.length < PAGE_SIZE || (until !== undefined && last.slot < until.slot))
        break;
      before = last.signature;
    }
    const missingFrom = this.announced.missingFrom(fresh);
    if (looksBack) {
      this.lookedBackAt = now;
      this.past.listed(headSlot, missingFrom);
    }
    return fresh.reverse().filter(({ slot }) => slot < missingFrom);
  }

  /** A page of the list, undefined when the node does not know the transaction `before` or `until`. */
  private async listPage(
    before: string | undefined,
    until: string | undefined,
  ): Promise<ConfirmedSignatureInfo[] | undefined> {
    const page = await this.node.list(this.deployment.programId, {
      limit: PAGE_SIZE,
      ...(until === undefined ? {} : { until }),
      ...(before === undefined ? {} : { before }),
    });
    if (page !== undefined) this.listedAt = Date.now();
    return page;
  }

  /** What was pruned since the last look cannot be listed. @throws CurvekitError when that may be something */
  private async requireHistoryFrom(until: ListedTransaction | undefined): Promise<void> {
    if (until === undefined || Date.now() - this.listedAt < SHORTEST_HISTORY_MS) return;
    const first = await this.node.firstAvailableBlock();
    if (first <= until.slot) return;
    throw new CurvekitError(
      `the RPC node's history begins with slot ${first}, after the last transaction that this subscription has seen (slot ` +
        `${until.slot}); subscribe from there at a node with full history`,
    );
  }

  private async *recordsOf(listed: readonly FreshTransaction[]): AsyncGenerator<CurveRecord | UnknownRecord> {
    const ahead: Promise<ConfirmedTransaction | undefined>[] = [];
    for (const [index, transaction] of listed.entries()) {
      for (const next of listed.slice(index + ahead.length, index + this.concurrency)) {
        const fetched = next.failed ? Promise.resolve(undefined) : this.node.fetch(next.signature);
        // Awaited in its turn; until then a failure must not count as unhandled.
        fetched.catch(() => undefined);
        ahead.push(fetched);
      }
      const response = await ahead.shift();
      if (response !== undefined) yield* this.decode(response);
      this.past.add(transaction);
      this.announced.delete(transaction.signature);
    }
  }

  private decode(transaction: ConfirmedTransaction): (CurveRecord | UnknownRecord)[] {
    try {
      return decodeEveryRecord(transaction, this.deployment);
    } catch (error) {
      const { version } = transaction;
      if (typeof version !== 'number' || version <= NEWEST_KNOWN_VERSION) throw error;
      const [signature = ''] = transaction.transaction.signatures;
      this.options.onError?.(new UnreadableTransactionError(signature, version, (error as Error).message));
      return [];
    }
  }

  private announce(signature: string, slot: number, failed: boolean): void {
    if (failed || this.past.has(signature, slot)) return;
    this.announced.add(signature, slot);
    this.pauses.wake();
  }
}
