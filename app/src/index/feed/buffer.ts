// The newest transactions of a feed, decoded, in memory until the indexer has shown them.
import { BoundedMap } from '../../base/bounded-map.js';
import type { UnnumberedRecord } from '../records.js';

/** A transaction of the feed. */
export interface Arrival {
  readonly signature: string;
  readonly slot: number;
  /** Place in the block. */
  readonly index: number;
  /** Undefined when it could not be used, so that the RPC node is asked for it. */
  readonly records: readonly UnnumberedRecord[] | undefined;
}

/** Older slots are finalized: the indexer has shown or booked their transactions. */
const KEPT_SLOTS = 150;
/** Signatures that are remembered after their transactions, so that a repeated one is known. */
const MOST_SEEN = 100_000;
/** Transactions without records, which are asked for once more when they are booked. */
const MOST_EMPTY = 10_000;

export class FeedBuffer {
  readonly #arrivals = new Map<string, Arrival>();
  readonly #slots = new Map<number, Arrival[]>();
  readonly #seen = new BoundedMap<string, number>(MOST_SEEN);
  readonly #empty = new BoundedMap<string, Arrival>(MOST_EMPTY);
  /** Transactions of all slots. */
  #size = 0;
  /** Transactions of this slot and of older ones may be missing. */
  #incompleteTo = Infinity;
  /** The slot in which the connection began. */
  #first = Infinity;
  /** The newest confirmed slot. */
  #newest: number | undefined;

  /** @param most transactions; those that arrive when it is full are left out, because the oldest are needed first */
  constructor(readonly most: number) {}

  get newest(): number | undefined {
    return this.#newest;
  }

  /** A connection has ended. */
  reset(): void {
    this.#arrivals.clear();
    this.#slots.clear();
    this.#seen.clear();
    this.#empty.clear();
    this.#size = 0;
    this.#incompleteTo = this.#first = Infinity;
    this.#newest = undefined;
  }

  isNew(signature: string, slot: number): boolean {
    return this.#seen.get(signature) !== slot;
  }

  add(arrival: Arrival): void {
    const { signature, slot, records } = arrival;
    const before = this.#seen.get(signature);
    this.#seen.set(signature, slot);
    // It landed again after a reorg: the list of the RPC node decides what stays.
    if (before !== undefined) this.#lose(Math.max(before, slot, this.#newest ?? 0));
    if (records?.length === 0) this.#empty.set(signature, arrival);
    if (this.#size >= this.most) return this.#lose(slot);
    this.#size += 1;
    this.#arrivals.set(signature, arrival);
    const others = this.#slots.get(slot);
    if (others === undefined) this.#slots.set(slot, [arrival]);
    else others.push(arrival);
  }

  /** A slot is confirmed: its transactions came before. */
  confirm(slot: number): void {
    if (this.#first === Infinity) this.#first = this.#incompleteTo = slot;
    this.#newest = Math.max(this.#newest ?? slot, slot);
    this.shown(this.#newest - KEPT_SLOTS);
  }

  /** A transaction, which is forgotten unless it has no records. */
  take(signature: string): Arrival | undefined {
    const arrival = this.#arrivals.get(signature) ?? this.#empty.get(signature);
    this.#arrivals.delete(signature);
    return arrival;
  }

  /** Whether all transactions of a slot came, also those that are forgotten. */
  covers(slot: number): boolean {
    return this.#newest !== undefined && slot > this.#first && slot <= this.#newest;
  }

  /** Transactions of the confirmed slots after `slot`, in order; undefined when some may be missing. */
  after(slot: number): Arrival[] | undefined {
    const newest = this.#newest;
    if (newest === undefined || slot < this.#incompleteTo) return undefined;
    const found: Arrival[] = [];
    for (const [at, arrivals] of this.#slots) if (at > slot && at <= newest) found.push(...arrivals);
    return found.sort((a, b) => a.slot - b.slot || a.index - b.index);
  }

  /** Forgets the transactions up to a slot, which have been shown. */
  shown(slot: number): void {
    for (const [old, arrivals] of this.#slots) {
      if (old > slot) continue;
      for (const { signature } of arrivals) this.#arrivals.delete(signature);
      this.#slots.delete(old);
      this.#size -= arrivals.length;
      this.#lose(old);
    }
  }

  #lose(slot: number): void {
    if (this.#incompleteTo !== Infinity) this.#incompleteTo = Math.max(this.#incompleteTo, slot);
  }
}
