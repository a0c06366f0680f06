// The transactions of a feed, in memory until the indexer has shown them. What is written waits for the oldest, so those that
// arrive when there is no room are left out.
import { decodeBase58, encodeBase58, SIGNATURE_BYTES } from '../../base/base58.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { latin1 } from '../trades/key-text.js';
import type { UnnumberedRecord } from '../records.js';
import type { News } from './source.js';

/** A transaction of the feed. What it says is decoded when it is needed: decoded, it takes five times the memory. */
export class Arrival {
  #signature: string | undefined;
  #records: readonly UnnumberedRecord[] | undefined;
  /** Whether it was decoded before it was needed. */
  isAhead = false;

  /**
   * @param key its signature's bytes as text
   * @param index place in the block
   * @param count of its records, as far as is known; negative when it could not be used, so that the RPC node is asked for it
   * @param first of its records, among those that came together
   * @param decode shared by those that came together: millions can wait
   */
  constructor(
    readonly key: string,
    readonly slot: number,
    readonly index: number,
    readonly count: number,
    readonly first: number,
    private readonly decode: (arrival: Arrival) => readonly UnnumberedRecord[],
  ) {}

  /** In base58. */
  get signature(): string {
    return (this.#signature ??= encodeBase58(Buffer.from(this.key, 'latin1')));
  }

  get records(): readonly UnnumberedRecord[] | undefined {
    return this.count < 0 ? undefined : (this.#records ??= this.decode(this));
  }
}

/** Signatures that are remembered after their transactions, so that a repeated one is known; up to twice as many. */
const MOST_SEEN = 50_000;
/** Transactions without records, which are asked for once more when they are booked. */
const MOST_EMPTY = 10_000;
/** One for each time that the connection ended or the buffer was full, until it is shown. */
const MOST_STRETCHES = 100;
/** Transactions that are decoded before they are shown. */
const MOST_AHEAD = 8_000;
/** Transactions that are decoded without a pause. */
const AHEAD_AT_ONCE = 50;
/** After a full buffer, transactions are taken in again when so much of it is used. */
const ROOM_AGAIN = 0.75;

/** Slots of which every transaction came: those after `after`, up to `to`. */
interface Stretch {
  /** Where it began. */
  readonly since: number;
  after: number;
  to: number;
}

export class FeedBuffer {
  readonly #arrivals = new Map<string, Arrival>();
  /** Those that were taken last, by their signatures in base58. */
  #taken = new Map<string, Arrival>();
  readonly #slots = new Map<number, Arrival[]>();
  /** Slots of signatures: in two parts, the older one of which is dropped, which takes less time than dropping each. */
  #seen = new Map<string, number>();
  #seenBefore = new Map<string, number>();
  readonly #empty = new BoundedMap<string, Arrival>(MOST_EMPTY);
  /** Transactions of all slots. */
  #size = 0;
  /** Number of transactions that are decoded ahead. */
  #ahead = 0;
  /** The transactions to decode next; undefined while none is decoded. */
  #next: Iterator<Arrival> | undefined;
  /** In order. */
  #stretches: Stretch[] = [];
  /** The last of them, while it grows. */
  #growing: Stretch | undefined;
  /** The newest slot of which a transaction was left out. */
  #leftOut = -Infinity;
  #isFull = false;
  /** The newest confirmed slot; undefined without a connection. */
  #newest: number | undefined;

  /** @param most transactions */
  constructor(readonly most: number) {}

  /** Transactions that wait. */
  get size(): number {
    return this.#size;
  }

  get newest(): number | undefined {
    return this.#newest;
  }

  /** A connection has ended. What came before stays. */
  disconnected(): void {
    this.#newest = this.#growing = undefined;
    this.#leftOut = -Infinity;
  }

  /** The slot after which every transaction came; undefined while some may be missing. */
  get wholeAfter(): number | undefined {
    return this.#growing?.after;
  }

  /** @returns whether it is new: a feed may repeat */
  add(arrival: Arrival): boolean {
    const { key, slot } = arrival;
    const before = this.#seen.get(key) ?? this.#seenBefore.get(key);
    if (before === slot) return false;
    if (this.#seen.size >= MOST_SEEN)
      [this.#seen, this.#seenBefore] = [new Map<string, number>(), this.#seen];
    this.#seen.set(key, slot);
    // It landed again after a reorg: the list of the RPC node decides what stays.
    if (before !== undefined) this.#endAt(Math.max(before, slot, this.#newest ?? 0));
    if (arrival.count === 0) this.#empty.set(key, arrival);
    if (this.#hasRoom()) this.#take(arrival);
    else this.#leaveOut(slot);
    return true;
  }

  #take(arrival: Arrival): void {
    this.#size += 1;
    this.#arrivals.set(arrival.key, arrival);
    const others = this.#slots.get(arrival.slot);
    if (others === undefined) this.#slots.set(arrival.slot, [arrival]);
    else others.push(arrival);
    this.#decodeAhead();
  }

  /** Decodes what is shown next while the database works: a few at a time, so that its answers do not wait. */
  #decodeAhead(): void {
    if (this.#next !== undefined || this.#ahead >= MOST_AHEAD) return;
    const next = (this.#next = this.#arrivals.values());
    const decodeSome = () => {
      for (const end = this.#ahead + AHEAD_AT_ONCE; this.#ahead < end;) {
        const arrival = this.#ahead < MOST_AHEAD ? next.next().value : undefined;
        if (arrival === undefined) return void (this.#next = undefined);
        if (!arrival.isAhead) this.#ahead += 1;
        arrival.isAhead = true;
        void arrival.records; // It keeps them.
      }
      setImmediate(decodeSome);
    };
    setImmediate(decodeSome);
  }

  /** A slot is confirmed: its transactions came before. */
  confirm(slot: number): void {
    this.#newest = Math.max(this.#newest ?? slot, slot);
    if (this.#growing === undefined && this.#hasRoom()) {
      const since = Math.max(this.#newest, this.#leftOut);
      this.#growing = { since, after: since, to: since };
      if (this.#stretches.length === MOST_STRETCHES) this.#stretches.shift();
      this.#stretches.push(this.#growing);
    }
    if (this.#growing !== undefined) this.#growing.to = Math.max(this.#growing.to, this.#newest);
  }

  find(signature: string): Arrival | undefined {
    const taken = this.#taken.get(signature);
    if (taken !== undefined) return taken;
    const bytes = decodeBase58(signature, SIGNATURE_BYTES);
    if (bytes === undefined) return undefined;
    const key = latin1(bytes);
    return this.#arrivals.get(key) ?? this.#empty.get(key);
  }

  /** Whether all transactions of a slot came, also those that are forgotten. */
  covers(slot: number): boolean {
    return this.#stretches.some(({ since, to }) => slot > since && slot <= to);
  }

  /**
   * Transactions of the confirmed slots after `slot`, in order, whole slots and about `most` of them; undefined when some may be
   * missing.
   */
  after(slot: number, most: number): News | undefined {
    const whole = this.#stretches.find(
      (one) => one.after <= slot && (slot < one.to || one === this.#growing),
    );
    if (whole === undefined) return undefined;
    const slots = [...this.#slots.keys()].filter((at) => at > slot && at <= whole.to).sort((a, b) => a - b);
    const newest = Math.max(this.#stretches.at(-1)!.to, slot);
    const places: { signature: string; slot: number }[] = [];
    this.#taken = new Map();
    for (const [nth, at] of slots.entries()) {
      const those = this.#slots.get(at)!;
      if (places.length > 0 && places.length + those.length > most)
        return { places, to: slots[nth - 1]!, newest };
      for (const arrival of those.sort((a, b) => a.index - b.index)) {
        places.push({ signature: arrival.signature, slot: at });
        this.#taken.set(arrival.signature, arrival);
      }
    }
    return { places, to: Math.max(whole.to, slot), newest };
  }

  /** Forgets the transactions up to a slot, which have been shown. */
  shown(slot: number): void {
    this.#taken = new Map();
    for (const [old, arrivals] of this.#slots) {
      if (old > slot) continue;
      for (const { key, isAhead } of arrivals) {
        this.#arrivals.delete(key);
        if (isAhead) this.#ahead -= 1;
      }
      this.#slots.delete(old);
      this.#size -= arrivals.length;
    }
    this.#decodeAhead();
    this.#endAt(slot);
  }

  /** Transactions up to a slot may be missing. */
  #endAt(slot: number): void {
    for (const stretch of this.#stretches) stretch.after = Math.max(stretch.after, slot);
    this.#stretches = this.#stretches.filter((one) => one === this.#growing || one.to > one.after);
  }

  #hasRoom(): boolean {
    this.#isFull = this.#size >= (this.#isFull ? this.most * ROOM_AGAIN : this.most);
    return !this.#isFull;
  }

  #leaveOut(slot: number): void {
    this.#leftOut = Math.max(this.#leftOut, slot);
    if (this.#growing !== undefined) this.#growing.to = Math.min(this.#growing.to, slot - 1);
    this.#growing = undefined;
  }
}
