// The Yellowstone gRPC feed as a source. It is never believed about what exists: see docs/decisions/indexer.md.
import { decodeEveryRecord } from '@curvekit/sdk';
import bs58 from 'bs58';
import type { Context } from '../../context.js';
import { FeedBuffer } from './buffer.js';
import { FEED_TIMES, subscribe, type FeedAddress, type FeedTimes } from './connection.js';
import { CONFIRMED, numberOf, type SubscribeUpdate } from './messages.js';
import type { UnnumberedRecord } from '../records.js';
import type { News, Source } from './source.js';
import { toTransaction, type Body } from './to-transaction.js';
import { WakeUp } from './wake-up.js';

/** About 100 MiB, and six seconds of 10,000 trades each. Beyond it, the RPC node is asked. */
const MOST_TRANSACTIONS = 60_000;

export interface YellowstoneOptions {
  /** Longest time between two wake-ups. */
  readonly intervalMs: number;
  readonly times?: FeedTimes;
  /** Transactions held in memory. */
  readonly most?: number;
}

type Parts = Pick<Context, 'deployment' | 'logger' | 'metrics'>;

export class YellowstoneSource implements Source {
  readonly #parts: Parts;
  readonly #buffer: FeedBuffer;
  readonly #wakeUp: WakeUp;
  readonly #unsubscribe: () => void;
  #finalizedSlot = 0;

  constructor(
    parts: Parts,
    address: FeedAddress,
    { intervalMs, times = FEED_TIMES, most = MOST_TRANSACTIONS }: YellowstoneOptions,
  ) {
    this.#parts = parts;
    this.#buffer = new FeedBuffer(most);
    this.#wakeUp = new WakeUp(intervalMs);
    const { logger, metrics } = parts;
    metrics.feedDown.set(1);
    const events = {
      onUpdate: (update: SubscribeUpdate) => this.#onUpdate(update),
      onEnd: (reason: string, error: unknown) => {
        this.#buffer.reset();
        metrics.feedDown.set(1);
        metrics.feedDisconnects.inc({ reason });
        logger.warn({ err: error, reason }, 'the gRPC feed ended: reading from the RPC node instead');
      },
    };
    this.#unsubscribe = subscribe(address, parts.deployment.programId.toBase58(), events, times);
  }

  wait(signal: AbortSignal): Promise<void> {
    return this.#wakeUp.wait(signal);
  }

  take({
    signature,
    slot,
  }: {
    readonly signature: string;
    readonly slot: number;
  }): readonly UnnumberedRecord[] | undefined {
    const { metrics } = this.#parts;
    const arrival = this.#buffer.take(signature);
    if (arrival === undefined && this.#buffer.covers(slot))
      metrics.feedTransactions.inc({ outcome: 'missed' });
    if (arrival?.records === undefined) return undefined;
    if (arrival.slot === slot) return arrival.records;
    this.#onMismatch(signature, new Error(`it is in slot ${slot}, not in ${arrival.slot}`));
    return undefined;
  }

  confirmedAfter(slot: number): News | undefined {
    const to = this.#buffer.newest;
    // A feed that is behind what is finalized saves no time.
    if (to === undefined || to < this.#finalizedSlot) return undefined;
    const places = this.#buffer.after(slot);
    return places === undefined ? undefined : { places, to };
  }

  newest(): number | undefined {
    return this.#buffer.newest;
  }

  shown(slot: number): void {
    this.#buffer.shown(slot);
  }

  compare(finalizedSlot: number): void {
    this.#finalizedSlot = finalizedSlot;
    const newest = this.#buffer.newest;
    if (newest !== undefined) this.#parts.metrics.feedBehindSlots.set(Math.max(0, finalizedSlot - newest));
  }

  stop(): void {
    this.#unsubscribe();
    this.#parts.metrics.feedDown.set(0);
    this.#parts.metrics.feedBehindSlots.set(0);
  }

  #onUpdate({ slot: status, transaction: sent }: SubscribeUpdate): void {
    const { metrics } = this.#parts;
    if (status && status.status === CONFIRMED) {
      this.#buffer.confirm(numberOf(status.slot));
      metrics.feedDown.set(0);
      this.#wakeUp.notify();
    }
    if (!sent?.transaction) return;
    const slot = numberOf(sent.slot);
    const signature = bs58.encode(sent.transaction.signature);
    if (!this.#buffer.isNew(signature, slot)) return metrics.feedTransactions.inc({ outcome: 'repeated' });
    const { transaction, meta, index, signature: signatureBytes } = sent.transaction;
    const records = this.#recordsOf({ signature, signatureBytes, slot, transaction, meta });
    this.#buffer.add({ signature, slot, index: numberOf(index), records });
  }

  /** Decoded at once: the records take a tenth of the memory of the transaction. */
  #recordsOf(body: Body): readonly UnnumberedRecord[] | undefined {
    const { deployment, metrics } = this.#parts;
    try {
      const records = decodeEveryRecord(toTransaction(body), { deployment });
      metrics.feedTransactions.inc({ outcome: 'used' });
      return records;
    } catch (error) {
      this.#onMismatch(body.signature, error);
      return undefined;
    }
  }

  #onMismatch(signature: string, error: unknown): void {
    this.#parts.metrics.feedTransactions.inc({ outcome: 'mismatched' });
    this.#parts.logger.warn(
      { err: error, signature },
      'the gRPC feed sent a transaction that is not as listed: the RPC node is asked for it',
    );
  }
}
