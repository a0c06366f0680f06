// The Yellowstone gRPC feed as a source. It is never believed about what exists: see docs/decisions/ingestion.md.
import bs58 from 'bs58';
import { decodeEveryRecord } from '@curvekit/sdk';
import type { Context } from '../../context.js';
import { FeedBuffer } from './buffer.js';
import { FEED_TIMES, subscribe, type FeedAddress, type FeedTimes } from './connection.js';
import { CONFIRMED, numberOf, type SubscribeUpdate } from './messages.js';
import type { UnnumberedRecord } from '../records.js';
import type { News, Source } from './source.js';
import { toTransaction } from './to-transaction.js';
import { WakeUp } from './wake-up.js';

/** Two seconds of 10,000 trades each. Beyond it, the oldest are asked from the RPC node. */
const MOST_BYTES = 96 * 1_048_576;

export interface YellowstoneOptions {
  /** Longest time between two wake-ups. */
  readonly intervalMs: number;
  readonly times?: FeedTimes;
  readonly mostBytes?: number;
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
    { intervalMs, times = FEED_TIMES, mostBytes = MOST_BYTES }: YellowstoneOptions,
  ) {
    this.#parts = parts;
    this.#buffer = new FeedBuffer(mostBytes);
    this.#wakeUp = new WakeUp(intervalMs);
    const { logger, metrics } = parts;
    metrics.feedDown.set(1);
    const events = {
      onUpdate: (update: SubscribeUpdate) => this.#onUpdate(update),
      onEnd: (reason: string, error: unknown) => {
        this.#buffer.reset();
        metrics.feedDown.set(1);
        metrics.feedDisconnects.inc({ reason });
        logger.warn({ err: error, reason }, 'the gRPC feed broke off: the RPC node is asked instead');
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
    const { deployment, logger, metrics } = this.#parts;
    const body = this.#buffer.get(signature);
    if (body === undefined) {
      if (this.#buffer.covers(slot)) metrics.feedTransactions.inc({ outcome: 'missed' });
      return undefined;
    }
    try {
      if (body.slot !== slot) throw new Error(`it is in slot ${slot}, not in ${body.slot}`);
      const records = decodeEveryRecord(toTransaction(body), deployment);
      // A transaction without records is asked for again when it is booked.
      if (records.length > 0) this.#buffer.forget(signature);
      metrics.feedTransactions.inc({ outcome: 'used' });
      return records;
    } catch (error) {
      this.#buffer.forget(signature);
      metrics.feedTransactions.inc({ outcome: 'mismatched' });
      logger.warn(
        { err: error, signature, slot },
        'the gRPC feed sent a transaction that is not as listed: the RPC node is asked for it',
      );
      return undefined;
    }
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
    const { signature, transaction, meta, index } = sent.transaction;
    const body = { signature: bs58.encode(signature), slot: numberOf(sent.slot), transaction, meta };
    if (!this.#buffer.add(body, numberOf(index))) metrics.feedTransactions.inc({ outcome: 'repeated' });
  }
}
