// The newest transactions of a feed: in memory, up to a number of bytes, until the indexer has shown them.
import { BoundedMap } from '../../bounded-map.js';
import type { Body } from './to-transaction.js';

export interface FeedPlace {
  readonly signature: string;
  readonly slot: number;
  /** Place in the block. */
  readonly index: number;
}

/** Older slots are finalized: the indexer has shown or booked their transactions. */
const KEPT_SLOTS = 150;
/** Signatures of transactions that came, so that a repeated one is known. */
const MOST_SEEN = 100_000;

export class FeedBuffer {
  readonly #bodies = new Map<string, Body>();
  readonly #slots = new Map<number, FeedPlace[]>();
  readonly #seen = new BoundedMap<string, number>(MOST_SEEN);
  #bytes = 0;
  /** Transactions of this slot and of older ones may be missing. */
  #incompleteTo = Infinity;
  /** The slot in which the connection began. */
  #first = Infinity;
  /** The newest confirmed slot. */
  #newest: number | undefined;

  /** @param mostBytes limit of the transactions' bytes */
  constructor(readonly mostBytes: number) {}

  get newest(): number | undefined {
    return this.#newest;
  }

  /** A connection begins or has ended: transactions up to its first confirmed slot may be missing. */
  reset(): void {
    this.#bodies.clear();
    this.#slots.clear();
    this.#seen.clear();
    this.#bytes = 0;
    this.#incompleteTo = Infinity;
    this.#first = Infinity;
    this.#newest = undefined;
  }

  /** @returns whether it is new */
  add(body: Body, index: number): boolean {
    const { signature, slot } = body;
    const before = this.#seen.get(signature);
    if (before === slot) return false;
    this.#seen.set(signature, slot);
    // It landed again after a reorg: the list of the RPC node decides what stays.
    if (before !== undefined) this.#lose(Math.max(before, slot, this.#newest ?? 0));
    this.forget(signature);
    this.#bodies.set(signature, body);
    this.#bytes += sizeOf(body);
    const places = this.#slots.get(slot);
    if (places === undefined) this.#slots.set(slot, [{ signature, slot, index }]);
    else places.push({ signature, slot, index });
    for (const [oldest, { slot: at }] of this.#bodies) {
      if (this.#bytes <= this.mostBytes) break;
      this.forget(oldest);
      this.#lose(at);
    }
    return true;
  }

  /** A slot is confirmed: its transactions came before. */
  confirm(slot: number): void {
    if (this.#first === Infinity) this.#first = this.#incompleteTo = slot;
    this.#newest = Math.max(this.#newest ?? slot, slot);
    for (const [old, places] of this.#slots) {
      if (old >= this.#newest - KEPT_SLOTS) continue;
      for (const { signature } of places) this.forget(signature);
      this.#slots.delete(old);
      this.#lose(old);
    }
  }

  get(signature: string): Body | undefined {
    return this.#bodies.get(signature);
  }

  /** Whether all transactions of a slot came, also those that are forgotten. */
  covers(slot: number): boolean {
    return this.#newest !== undefined && slot > this.#first && slot <= this.#newest;
  }

  /** Transactions of the confirmed slots after `slot`, in order; undefined when some may be missing. */
  after(slot: number): FeedPlace[] | undefined {
    const newest = this.#newest;
    if (newest === undefined || slot < this.#incompleteTo) return undefined;
    const found: FeedPlace[] = [];
    for (const [at, places] of this.#slots) if (at > slot && at <= newest) found.push(...places);
    return found.sort((a, b) => a.slot - b.slot || a.index - b.index);
  }

  /** Forgets the transactions up to a slot, which have been shown. */
  shown(slot: number): void {
    for (const at of this.#slots.keys()) if (at <= slot) this.#slots.delete(at);
    this.#lose(slot);
  }

  #lose(slot: number): void {
    if (this.#incompleteTo !== Infinity) this.#incompleteTo = Math.max(this.#incompleteTo, slot);
  }

  forget(signature: string): void {
    const body = this.#bodies.get(signature);
    if (body === undefined) return;
    this.#bodies.delete(signature);
    this.#bytes -= sizeOf(body);
  }
}

function sizeOf({ transaction, meta }: Body): number {
  return transaction.length + meta.length;
}
