// A live stream of records. The websocket only says when to look; what there is to see is always read from the node's
// list of signatures, from the last one seen. So a lost notification, a reconnect or a restart loses and repeats nothing.
// Nodes can list a transaction after later ones; the last slots are therefore looked through again and again.
import type {
  ConfirmedSignatureInfo,
  Connection,
  Finality,
  SignaturesForAddressOptions,
} from '@solana/web3.js';
import { fetchTransaction, NEWEST_KNOWN_VERSION } from './confirmed-transaction.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from './deployment.js';
import { CurvekitError, IncompleteTransactionError, UnreadableTransactionError } from './errors.js';
import { LookBack, type Place } from './look-back.js';
import { decodeEveryRecord } from './records/decode.js';
import type { CurveRecord, RecordSource, UnknownRecord } from './records/record.js';
import { requireRecordSource } from './records/record-source.js';
import type { ConfirmedTransaction } from './records/transaction.js';
import { isUnknownPlace, lastingRefusal } from './rpc-errors.js';
import { requireInteger } from './validation.js';

/** How to subscribe. */
export interface SubscriptionOptions {
  /**
   * Where to begin: with what happens from now on (the default), with the program's first transaction, or after a
   * record that was already processed. Nodes list the newest first, so everything since the beginning is listed before
   * the first record comes, at about 170 bytes of memory for each transaction.
   */
  readonly from?: 'now' | 'genesis' | RecordSource | undefined;
  /** `confirmed` (the default) is quick; `finalized` can never be undone. */
  readonly commitment?: Finality | undefined;
  /** Looks at least this often, for when the websocket is down. 2,000 ms by default. */
  readonly pollIntervalMs?: number | undefined;
  /** Transactions fetched at once. 8 by default. */
  readonly concurrency?: number | undefined;
  /**
   * Told of every failed request; the subscription tries again by itself unless it can never succeed. Told as well of an
   * UnreadableTransactionError for each transaction of the program that is of a version which neither the node nor this SDK
   * can read: its records, if it has any, are left out and the subscription goes on. Anyone can send such a transaction.
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly deployment?: Deployment | undefined;
}

/**
 * A stream of records in the order they were made, each once. It can be iterated once. A record of a transaction that the
 * node neither announces nor lists before later ones comes after those, when it is listed up to 32 slots late.
 */
export interface RecordSubscription<R = CurveRecord> extends AsyncIterable<R> {
  /** Resolves when the beginning is fixed: records made from then on will come. */
  readonly ready: Promise<void>;
  /** Ends the iteration, after the record it is at, and the websocket subscription. */
  close(): Promise<void>;
}

/**
 * Subscribes to the program's records.
 *
 * Iteration throws IncompleteTransactionError when the node does not have what a record needs: a transaction it no
 * longer keeps, inner instructions, a whole log; and CurvekitError when it refuses a request for good.
 *
 * @throws InvalidArgumentError for an option out of range, and a `from` that is no record's source
 */
export function subscribeRecords(
  connection: Connection,
  options: SubscriptionOptions = {},
): RecordSubscription {
  const all = new Subscription(connection, options);
  return {
    ready: all.ready,
    close: () => all.close(),
    [Symbol.asyncIterator]: () => known(all.run()),
  };
}

/** Like {@link subscribeRecords}, with the records that this version of the SDK does not know as `kind: 'unknown'`. */
export function subscribeEveryRecord(
  connection: Connection,
  options: SubscriptionOptions = {},
): RecordSubscription<CurveRecord | UnknownRecord> {
  const all = new Subscription(connection, options);
  return { ready: all.ready, close: () => all.close(), [Symbol.asyncIterator]: () => all.run() };
}

const PAGE_SIZE = 1_000;
/** How often to look at the last slots again, where nothing tells that something is missing. */
const LOOK_BACK_EVERY_MS = 1_000;
/** How often where something announced is missing among them. */
const LOOK_BACK_AT_ONCE_MS = 100;
/** A consumer that falls behind finds what was announced in the node's list all the same. */
const MOST_ANNOUNCED = 10_000;
/** How long a notified transaction may take to show in the node's list, and a listed one to be readable. */
const PATIENCE_MS = 10_000;
/** No node prunes what is younger. */
const SHORTEST_HISTORY_MS = 60_000;
const SHORT_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/** A transaction of the program, as the node lists it. */
interface Listed {
  readonly signature: string;
  readonly slot: number;
  readonly failed: boolean;
}

/** Thrown inside to leave whatever was under way when the subscription is closed. */
class Closed extends CurvekitError {
  constructor() {
    super('the subscription was closed');
  }
}

async function* known(records: AsyncIterable<CurveRecord | UnknownRecord>): AsyncGenerator<CurveRecord> {
  for await (const record of records) {
    if (record.kind !== 'unknown') yield record;
  }
}

class Subscription {
  readonly ready: Promise<void>;
  private readonly deployment: Deployment;
  private readonly commitment: Finality;
  private readonly pollIntervalMs: number;
  private readonly concurrency: number;
  private readonly listener: number;
  /** What was dealt with. */
  private readonly past = new LookBack();
  private lookedBackAt = -Infinity;
  /** When the node last listed what there was; the clock's, so that a sleeping machine notices. */
  private listedAt = Date.now();
  /** Transactions the websocket told of that were not dealt with yet. */
  private readonly announced = new Map<string, { readonly slot: number; readonly at: number }>();
  private started = false;
  private closed = false;
  /** What ends each pause under way. */
  private readonly pauses = new Set<() => void>();

  constructor(
    private readonly connection: Connection,
    private readonly options: SubscriptionOptions,
  ) {
    this.deployment = options.deployment ?? DEFAULT_DEPLOYMENT;
    this.commitment = options.commitment ?? 'confirmed';
    this.pollIntervalMs = requireInteger('pollIntervalMs', options.pollIntervalMs ?? 2_000, 3_600_000, 1);
    this.concurrency = requireInteger('concurrency', options.concurrency ?? 8, 1_000, 1);
    const { from } = options;
    if (from !== undefined && from !== 'now' && from !== 'genesis') requireRecordSource('from', from);
    this.listener = connection.onLogs(
      this.deployment.programId,
      ({ signature, err }, { slot }) => this.announce(signature, slot, err !== null),
      this.commitment,
    );
    this.ready = this.begin();
    // Whoever does not wait for it meets the error in the iteration.
    this.ready.catch(() => undefined);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.wake();
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
          await this.pause(this.announced.size > 0 ? SHORT_PAUSE_MS : this.pollIntervalMs);
      }
    } catch (error) {
      if (!(error instanceof Closed)) throw error;
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
      const [latest] = (await this.list({ limit: 1 })) ?? [];
      if (latest !== undefined) this.past.begin(latest);
    }
    for (const [signature, { slot }] of this.announced) {
      if (this.past.has(signature, slot)) this.announced.delete(signature);
    }
  }

  /** The records that the transaction of `from` made after the one given there. */
  private async *restOfFirst(): AsyncGenerator<CurveRecord | UnknownRecord> {
    const { from } = this.options;
    if (typeof from !== 'object') return;
    const { outer, inner } = from.position;
    const first = await this.fetch(from.signature);
    for (const record of first === undefined ? [] : this.decode(first)) {
      const { position } = record;
      if (position.outer > outer || (position.outer === outer && position.inner > inner)) yield record;
    }
  }

  /** The transactions that were not dealt with yet, oldest first. */
  private async listFresh(): Promise<Listed[]> {
    const now = Date.now();
    const interval = this.announcesPast() ? LOOK_BACK_AT_ONCE_MS : LOOK_BACK_EVERY_MS;
    const looksBack = now - this.lookedBackAt >= interval;
    const until = looksBack ? this.past.settled : this.past.newest;
    let headSlot = 0;
    const fresh: Listed[] = [];
    let before: string | undefined;
    let namesUntil = until !== undefined;
    for (;;) {
      const page = await this.listPage(before, namesUntil ? until?.signature : undefined);
      if (page === undefined) {
        // The node has pruned one of the two, or a fork took it away: the list begins again, and slots tell where it ends.
        if (namesUntil) await this.requireHistoryFrom(until);
        else await this.pause(SHORT_PAUSE_MS);
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
    const missingFrom = this.missingFrom(fresh);
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
    const page = await this.list({
      limit: PAGE_SIZE,
      ...(until === undefined ? {} : { until }),
      ...(before === undefined ? {} : { before }),
    });
    if (page !== undefined) this.listedAt = Date.now();
    return page;
  }

  /** What was pruned since the last look cannot be listed. @throws CurvekitError when that may be something */
  private async requireHistoryFrom(until: Place | undefined): Promise<void> {
    if (until === undefined || Date.now() - this.listedAt < SHORTEST_HISTORY_MS) return;
    const first = await this.request(() => this.connection.getFirstAvailableBlock());
    if (first <= until.slot) return;
    throw new CurvekitError(
      `the RPC node's history begins with slot ${first}, after the last transaction that this subscription has seen (slot ` +
        `${until.slot}); subscribe from there at a node with full history`,
    );
  }

  private announcesPast(): boolean {
    const newest = this.past.newest?.slot ?? -1;
    for (const { slot } of this.announced.values()) if (slot <= newest) return true;
    return false;
  }

  /** Undefined when the node does not know a transaction that the options name. */
  private list(options: SignaturesForAddressOptions): Promise<ConfirmedSignatureInfo[] | undefined> {
    return this.request(async () => {
      try {
        return await this.connection.getSignaturesForAddress(
          this.deployment.programId,
          options,
          this.commitment,
        );
      } catch (error) {
        if (!isUnknownPlace(error)) throw error;
        this.options.onError?.(error);
        return undefined;
      }
    });
  }

  /** The first slot of what was announced but is not listed yet: nodes list a moment after they notify. */
  private missingFrom(listed: readonly Listed[]): number {
    if (this.announced.size === 0) return Infinity;
    const signatures = new Set(listed.map(({ signature }) => signature));
    let missingFrom = Infinity;
    for (const [signature, { slot, at }] of this.announced) {
      if (signatures.has(signature)) continue;
      if (Date.now() - at > PATIENCE_MS) this.announced.delete(signature);
      else missingFrom = Math.min(missingFrom, slot);
    }
    return missingFrom;
  }

  private async *recordsOf(listed: readonly Listed[]): AsyncGenerator<CurveRecord | UnknownRecord> {
    const ahead: Promise<ConfirmedTransaction | undefined>[] = [];
    for (const [index, transaction] of listed.entries()) {
      for (const next of listed.slice(index + ahead.length, index + this.concurrency)) {
        const fetched = next.failed ? Promise.resolve(undefined) : this.fetch(next.signature);
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
    if (this.announced.size >= MOST_ANNOUNCED) this.announced.clear();
    this.announced.set(signature, { slot, at: Date.now() });
    this.wake();
  }

  /** A listed transaction, which a node may need a moment to find; undefined when it cannot be read. */
  private async fetch(signature: string): Promise<ConfirmedTransaction | undefined> {
    const since = Date.now();
    for (;;) {
      const isLate = Date.now() - since > PATIENCE_MS;
      const response = await this.request(() => this.read(signature));
      let problem = 'the node lists it but does not keep it; ask one with full history';
      if (response instanceof UnreadableTransactionError) {
        this.options.onError?.(response);
        return undefined;
      }
      if (response !== null) {
        if (response.transaction.signatures[0] === signature && response.meta !== null) return response;
        problem =
          response.meta === null
            ? 'the node keeps no metadata of it; ask one that does'
            : 'the node answers with another transaction; ask another one';
      }
      if (isLate) throw new IncompleteTransactionError(signature, problem);
      await this.pause(SHORT_PAUSE_MS);
    }
  }

  private async read(signature: string): Promise<ConfirmedTransaction | UnreadableTransactionError | null> {
    try {
      return await fetchTransaction(this.connection, signature, this.commitment);
    } catch (error) {
      if (error instanceof UnreadableTransactionError) return error;
      throw error;
    }
  }

  /** Asks again until the node answers. @throws CurvekitError when it never will */
  private async request<T>(ask: () => Promise<T>): Promise<T> {
    for (let pause = SHORT_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      if (this.closed) throw new Closed();
      try {
        return await ask();
      } catch (error) {
        this.options.onError?.(error);
        const refusal = lastingRefusal(error);
        if (refusal !== undefined) throw refusal;
      }
      await this.pause(pause);
    }
  }

  private wake(): void {
    for (const end of this.pauses) end();
  }

  /** Waits until the time is over, something is announced, or the subscription is closed. */
  private async pause(milliseconds: number): Promise<void> {
    if (!this.closed) {
      await new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          this.pauses.delete(end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        this.pauses.add(end);
      });
    }
    if (this.closed) throw new Closed();
  }
}
