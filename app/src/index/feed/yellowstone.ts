// The Yellowstone gRPC feed as a source. It is never believed about what exists: see docs/decisions/indexer.md.
import { decodeRecord } from '@curvekit/sdk';
import { getHeapStatistics } from 'node:v8';
import { SIGNATURE_BYTES } from '../../base/base58.js';
import type { Context } from '../../context.js';
import { latin1, textOf } from '../trades/key-text.js';
import { Arrival, FeedBuffer } from './buffer.js';
import { FEED_TIMES, type FeedAddress, type FeedTimes } from './connection.js';
import type { UnnumberedRecord } from '../records.js';
import { NewestPrices, type Reserves } from './newest-prices.js';
import { readFeed, type Told } from './reader.js';
import type { News, Source } from './source.js';
import { WakeUp } from './wake-up.js';

/** Of a trade in memory: 920 were measured. */
const BYTES_OF_ONE = 1_024;
/** What may wait in memory: half a million trades for each GiB of the heap. The RPC node is asked for the others. */
const MOST_TRANSACTIONS = Math.floor(getHeapStatistics().heap_size_limit / 2 / BYTES_OF_ONE);
/** Transactions written at once. */
const MOST_NEWS = 8_000;
/** A price of a slot that is further ahead of what is confirmed would stay for as long as nothing contradicts it. */
const MOST_AHEAD_SLOTS = 32;

export interface YellowstoneOptions {
  /** Longest time between two wake-ups. */
  readonly intervalMs: number;
  readonly times?: FeedTimes;
  /** Transactions held in memory. */
  readonly most?: number;
  /** Transactions written at once, as far as they are not of one slot. */
  readonly atOnce?: number;
}

type Parts = Pick<Context, 'deployment' | 'logger' | 'metrics'>;

export class YellowstoneSource implements Source {
  readonly #parts: Parts;
  readonly #buffer: FeedBuffer;
  readonly #atOnce: number;
  readonly #wakeUp: WakeUp;
  readonly #stopReading: () => void;
  readonly #prices = new NewestPrices();
  #finalizedSlot = 0;

  constructor(
    parts: Parts,
    address: FeedAddress,
    { intervalMs, times = FEED_TIMES, most = MOST_TRANSACTIONS, atOnce = MOST_NEWS }: YellowstoneOptions,
  ) {
    this.#parts = parts;
    this.#buffer = new FeedBuffer(most);
    this.#atOnce = atOnce;
    this.#wakeUp = new WakeUp(intervalMs);
    const { logger, metrics } = parts;
    metrics.feedDown.set(1);
    this.#stopReading = readFeed(address, times, parts.deployment, {
      onTold: (told) => this.#onTold(told),
      onEnded: ({ end: reason, error }) => {
        this.#buffer.disconnected();
        this.#prices.clear();
        metrics.feedDown.set(1);
        metrics.feedDisconnects.inc({ reason });
        logger.warn({ err: error, reason }, 'the gRPC feed ended: reading from the RPC node instead');
      },
    });
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
    const arrival = this.#buffer.find(signature);
    if (arrival === undefined && this.#buffer.covers(slot))
      metrics.feedTransactions.inc({ outcome: 'missed' });
    if (arrival?.records === undefined) return undefined;
    if (arrival.slot === slot) return arrival.records;
    this.#onMismatch(signature, `it is in slot ${slot}, not in ${arrival.slot}`);
    return undefined;
  }

  confirmedAfter(slot: number): News | undefined {
    const found = this.#buffer.after(slot, this.#atOnce);
    if (found === undefined) return undefined;
    // A feed that is behind what is finalized saves no time, unless that is because its transactions wait here.
    const isBehind = (this.#buffer.newest ?? 0) < this.#finalizedSlot;
    return isBehind && found.places.length === 0 ? undefined : found;
  }

  newestOf(mint: string, after: number): Reserves | undefined {
    return this.#prices.of(mint, after);
  }

  untold(shown: number): readonly string[] {
    return this.#prices.untold(shown);
  }

  /** The newest confirmed slot that it has told; undefined while it is down. */
  newest(): number | undefined {
    return this.#buffer.newest;
  }

  wholeAfter(): number | undefined {
    return this.#buffer.wholeAfter;
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
    this.#stopReading();
    this.#parts.metrics.feedDown.set(0);
    this.#parts.metrics.feedBehindSlots.set(0);
  }

  #onTold(told: Told): void {
    const { metrics } = this.#parts;
    const { signatures, places, reasons, confirmed, bytes, starts, positions } = told;
    // Without the signatures, of which the keys are copies.
    const kept = { bytes, starts, positions };
    const priced = (this.#buffer.newest ?? -Infinity) + MOST_AHEAD_SLOTS;
    const decode = ({ first, count, signature, slot }: Arrival) =>
      Array.from({ length: count }, (_, nth) => ({ ...decoded(kept, first + nth), signature, slot }));
    let [next, repeated, used] = [0, 0, 0];
    for (let nth = 0; 3 * nth < places.length; nth += 1) {
      const [slot, index, count] = [places[3 * nth]!, places[3 * nth + 1]!, places[3 * nth + 2]!];
      const key = latin1(signatures.subarray(SIGNATURE_BYTES * nth, SIGNATURE_BYTES * (nth + 1)));
      const first = next;
      next += Math.max(0, count);
      const arrival = new Arrival(key, slot, index, count, first, decode);
      const isNew = this.#buffer.add(arrival);
      if (!isNew) repeated += 1;
      else if (count < 0) this.#onMismatch(arrival.signature, reasons[nth] ?? '');
      else used += 1;
      for (let record = first; isNew && slot <= priced && record < next; record += 1)
        this.#prices.note(slot, index, bytesOf(told, record));
    }
    metrics.feedTransactions.inc({ outcome: 'repeated' }, repeated);
    metrics.feedTransactions.inc({ outcome: 'used' }, used);
    if (confirmed === undefined) return;
    this.#buffer.confirm(confirmed);
    metrics.feedDown.set(0);
    this.#wakeUp.notify();
  }

  #onMismatch(signature: string, reason: string): void {
    this.#parts.metrics.feedTransactions.inc({ outcome: 'mismatched' });
    this.#parts.logger.warn(
      { err: new Error(reason), signature },
      'the gRPC feed sent a transaction that is not as listed: the RPC node is asked for it',
    );
  }
}

type Records = Pick<Told, 'bytes' | 'starts' | 'positions'>;

const bytesOf = ({ bytes, starts }: Records, record: number) =>
  bytes.subarray(starts[record], starts[record + 1]);

function decoded(records: Records, record: number) {
  const [outer, inner] = records.positions.subarray(2 * record);
  const known = decodeRecord(bytesOf(records, record));
  // Keys keep their text, which takes as long as all else.
  if (known.kind === 'trade') [known.data.mint, known.data.trader].forEach(textOf);
  return { ...known, position: { outer: outer!, inner: inner! } };
}
