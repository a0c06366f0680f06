// A live stream of records. The websocket only says when to look; what there is to see is always read from the node's
// list of signatures, from the last one seen. So a lost notification, a reconnect or a restart loses and repeats nothing.
import type { Connection, Finality, VersionedTransactionResponse } from '@solana/web3.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from './deployment.js';
import { CurvekitError, IncompleteTransactionError } from './errors.js';
import { decodeEveryRecord, type CurveRecord, type RecordSource, type UnknownRecord } from './records.js';
import { requireInteger } from './validation.js';

/** How to subscribe. */
export interface SubscriptionOptions {
  /**
   * Where to begin: with what happens from now on (the default), with the program's first transaction, or after a
   * record that was already processed.
   */
  readonly from?: 'now' | 'genesis' | RecordSource | undefined;
  /** `confirmed` (the default) is quick; `finalized` can never be undone. */
  readonly commitment?: Finality | undefined;
  /** Looks at least this often, for when the websocket is down. 2,000 ms by default. */
  readonly pollIntervalMs?: number | undefined;
  /** Transactions fetched at once. 8 by default. */
  readonly concurrency?: number | undefined;
  /** Told of every failed request; the subscription tries again by itself. */
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly deployment?: Deployment | undefined;
}

/** A stream of records in the order they were made, each once. It can be iterated once. */
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
 * longer keeps, inner instructions, a whole log.
 *
 * @throws InvalidArgumentError for an option out of range
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
/** A consumer that falls behind finds what was announced in the node's list all the same. */
const MOST_ANNOUNCED = 10_000;
/** How long a notified transaction may take to show in the node's list, and a listed one to be readable. */
const PATIENCE_MS = 10_000;
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
  /** The newest transaction that was dealt with. */
  private cursor: { readonly signature: string; readonly slot: number } | undefined;
  /** Those of the cursor's slot that were: a node that has forgotten the cursor lists them again. */
  private readonly dealtWith = new Set<string>();
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
      this.advance(from);
      return;
    }
    const [latest] = await this.request(() =>
      this.connection.getSignaturesForAddress(this.deployment.programId, { limit: 1 }, this.commitment),
    );
    if (latest !== undefined) this.advance(latest);
  }

  /** The records that the transaction of `from` made after the one given there. */
  private async *restOfFirst(): AsyncGenerator<CurveRecord | UnknownRecord> {
    const { from } = this.options;
    if (typeof from !== 'object') return;
    const { outer, inner } = from.position;
    for (const record of decodeEveryRecord(await this.fetch(from.signature), this.deployment)) {
      const { position } = record;
      if (position.outer > outer || (position.outer === outer && position.inner > inner)) yield record;
    }
  }

  /** The transactions after the cursor, oldest first. */
  private async listFresh(): Promise<Listed[]> {
    const { cursor } = this;
    const fresh: Listed[] = [];
    let before: string | undefined;
    for (;;) {
      const page = await this.request(() =>
        this.connection.getSignaturesForAddress(
          this.deployment.programId,
          {
            limit: PAGE_SIZE,
            ...(cursor === undefined ? {} : { until: cursor.signature }),
            ...(before === undefined ? {} : { before }),
          },
          this.commitment,
        ),
      );
      for (const { signature, slot, err } of page) fresh.push({ signature, slot, failed: err !== null });
      const last = page.at(-1);
      // A node that does not know the cursor any more lists everything before it as well.
      if (last === undefined || page.length < PAGE_SIZE || (cursor !== undefined && last.slot < cursor.slot))
        break;
      before = last.signature;
    }
    const wanted = fresh.filter(
      ({ signature, slot }) =>
        cursor === undefined || (slot >= cursor.slot && !this.dealtWith.has(signature)),
    );
    return this.withoutGaps(wanted.reverse());
  }

  /** Those before anything that was announced but is not listed yet: nodes list a moment after they notify. */
  private withoutGaps(listed: Listed[]): Listed[] {
    const signatures = new Set(listed.map(({ signature }) => signature));
    let missingFrom = Infinity;
    for (const [signature, { slot, at }] of this.announced) {
      if (signatures.has(signature)) continue;
      if (Date.now() - at > PATIENCE_MS) this.announced.delete(signature);
      else missingFrom = Math.min(missingFrom, slot);
    }
    return listed.filter(({ slot }) => slot < missingFrom);
  }

  private async *recordsOf(listed: readonly Listed[]): AsyncGenerator<CurveRecord | UnknownRecord> {
    const ahead: Promise<VersionedTransactionResponse | undefined>[] = [];
    for (const [index, transaction] of listed.entries()) {
      for (const next of listed.slice(index + ahead.length, index + this.concurrency)) {
        const fetched = next.failed ? Promise.resolve(undefined) : this.fetch(next.signature);
        // Awaited in its turn; until then a failure must not count as unhandled.
        fetched.catch(() => undefined);
        ahead.push(fetched);
      }
      const response = await ahead.shift();
      if (response !== undefined) yield* decodeEveryRecord(response, this.deployment);
      this.advance(transaction);
    }
  }

  private advance({ signature, slot }: { readonly signature: string; readonly slot: number }): void {
    if (slot !== this.cursor?.slot) this.dealtWith.clear();
    this.cursor = { signature, slot };
    this.dealtWith.add(signature);
    this.announced.delete(signature);
  }

  private announce(signature: string, slot: number, failed: boolean): void {
    const isPast = this.cursor !== undefined && slot < this.cursor.slot;
    if (failed || isPast || this.dealtWith.has(signature)) return;
    if (this.announced.size >= MOST_ANNOUNCED) this.announced.clear();
    this.announced.set(signature, { slot, at: Date.now() });
    this.wake();
  }

  /** A listed transaction, which a node may need a moment to find. */
  private async fetch(signature: string): Promise<VersionedTransactionResponse> {
    const since = Date.now();
    for (;;) {
      const response = await this.request(() =>
        this.connection.getTransaction(signature, {
          commitment: this.commitment,
          maxSupportedTransactionVersion: 0,
        }),
      );
      if (response !== null) return response;
      if (Date.now() - since > PATIENCE_MS) {
        throw new IncompleteTransactionError(
          signature,
          'the node lists it but does not keep it; ask one with full history',
        );
      }
      await this.pause(SHORT_PAUSE_MS);
    }
  }

  /** Asks again until the node answers. */
  private async request<T>(ask: () => Promise<T>): Promise<T> {
    for (let pause = SHORT_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      if (this.closed) throw new Closed();
      try {
        return await ask();
      } catch (error) {
        this.options.onError?.(error);
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
