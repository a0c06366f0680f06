// The newest prices that a feed has told. While a write lasts, or more is confirmed than is written, pages see them before the trades
// that led to them.
import { decodeRecord, recordMint, type CurveReserves } from '@curvekit/sdk';
import { BoundedMap } from '../../base/bounded-map.js';
import { textOfBytes } from '../trades/key-text.js';

/** Tokens whose newest record is kept. */
const MOST_TOKENS = 20_000;
/** Tokens whose prices are told at once. */
const MOST_TOLD = 1_000;

export type Reserves = Pick<CurveReserves, 'virtualSol' | 'virtualToken'> & { readonly slot: number };

interface Newest {
  readonly slot: number;
  /** Place in the block. */
  readonly index: number;
  readonly bytes: Uint8Array;
}

export class NewestPrices {
  readonly #of = new BoundedMap<string, Newest>(MOST_TOKENS);
  /** Tokens with a record since the last call of `untold`, and those that had one before it. */
  #fresh = new Set<string>();
  #waiting = new Set<string>();

  note(slot: number, index: number, bytes: Uint8Array): void {
    const key = recordMint(bytes);
    if (key === undefined) return;
    const mint = textOfBytes(key);
    const known = this.#of.get(mint);
    if (known !== undefined && (known.slot > slot || (known.slot === slot && known.index > index))) return;
    // A copy: the view would hold the memory of all records that came with it.
    this.#of.set(mint, { slot, index, bytes: bytes.slice() });
    if (this.#fresh.size < MOST_TOKENS) this.#fresh.add(mint);
  }

  clear(): void {
    for (const tokens of [this.#of, this.#fresh, this.#waiting]) tokens.clear();
  }

  /** A curve's reserves after its newest trade, if that is later than a slot. */
  of(mint: string, after: number): Reserves | undefined {
    const newest = this.#of.get(mint);
    if (newest === undefined || newest.slot <= after) return undefined;
    const { kind, data } = decodeRecord(newest.bytes);
    return kind === 'trade' ? { ...data, slot: newest.slot } : undefined;
  }

  /**
   * Tokens with a newer price than that of a slot, which were not returned before. None while nothing waits since the call before:
   * what is shown at once needs no price ahead of it.
   */
  untold(after: number): readonly string[] {
    const isAhead = (mint: string) => (this.#of.get(mint)?.slot ?? 0) > after;
    const isLate = [...this.#waiting].some(isAhead);
    const all = [...this.#waiting, ...this.#fresh].filter(isAhead);
    const told = isLate ? all.slice(0, MOST_TOLD) : [];
    this.#waiting = new Set(all.slice(told.length));
    this.#fresh.clear();
    return told;
  }
}
