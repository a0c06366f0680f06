// Where the indexer hears of new transactions and gets them from. The RPC node's list decides what is booked and in which
// order; a source only saves requests and time. See docs/decisions/indexer.md.
import type { UnnumberedRecord } from '../records.js';
import type { Reserves } from './newest-prices.js';

/** Confirmed transactions in the order of the chain. */
export interface News {
  readonly places: readonly { readonly signature: string; readonly slot: number }[];
  /** They are complete up to this slot. */
  readonly to: number;
  /** The newest slot that it has. Those after `to` wait, because they are confirmed faster than they are written. */
  readonly newest: number;
}

export interface Source {
  /** Resolves when there may be something new since the last call, or the signal aborts. */
  wait(signal: AbortSignal): Promise<void>;
  /** The records of a listed, successful transaction; undefined when the RPC node must be asked. */
  take(place: { readonly signature: string; readonly slot: number }): readonly UnnumberedRecord[] | undefined;
  /** What was confirmed after a slot; undefined when some of it may be missing. */
  confirmedAfter(slot: number): News | undefined;
  /** The slot after which it has everything that is confirmed; undefined while some of it may be missing. */
  wholeAfter(): number | undefined;
  /** A curve's reserves after its newest trade, if that is later than a slot. */
  newestOf(mint: string, after: number): Reserves | undefined;
  /** Tokens with a newer price than that of the slot up to which all is shown. Each price once, and only when it had to wait. */
  untold(shown: number): readonly string[];
  /** The indexer has shown or booked everything up to a slot. */
  shown(slot: number): void;
  /** Compares the source with the RPC node's finalized slot. */
  compare(finalizedSlot: number): void;
  stop(): void;
}

/** Delivers nothing, so that the RPC node is asked for everything. */
export const NO_SOURCE: Source = {
  wait: () => Promise.resolve(),
  take: () => undefined,
  confirmedAfter: () => undefined,
  wholeAfter: () => undefined,
  newestOf: () => undefined,
  untold: () => [],
  shown: () => undefined,
  compare: () => undefined,
  stop: () => undefined,
};
