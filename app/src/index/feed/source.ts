// Where the indexer hears of new transactions and gets them from. The RPC node's list decides what is booked and in which
// order; a source only saves requests and time. See docs/decisions/indexer.md.
import type { CurveReserves } from '@curvekit/sdk';
import type { UnnumberedRecord } from '../records.js';

/** Confirmed transactions in the order of the chain. */
export interface News {
  readonly places: readonly { readonly signature: string; readonly slot: number }[];
  /** They are complete up to this slot. */
  readonly to: number;
  /** False: more of them wait, because they are confirmed faster than they are written. */
  readonly isAll: boolean;
}

/** Reserves of curves by mint, newer than those of the index. */
export type NewestReserves = ReadonlyMap<string, Pick<CurveReserves, 'virtualSol' | 'virtualToken'>>;

export interface Source {
  /** Resolves when there may be something new since the last call, or the signal aborts. */
  wait(signal: AbortSignal): Promise<void>;
  /** The records of a listed, successful transaction; undefined when the RPC node must be asked. */
  take(place: { readonly signature: string; readonly slot: number }): readonly UnnumberedRecord[] | undefined;
  /** What was confirmed after a slot; undefined when some of it may be missing. */
  confirmedAfter(slot: number): News | undefined;
  /** The slot after which it has everything that is confirmed; undefined while some of it may be missing. */
  wholeAfter(): number | undefined;
  /** Of the curves with a trade after the slot `shown` that came since the last call. */
  newestReserves(shown: number): NewestReserves;
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
  newestReserves: () => new Map(),
  shown: () => undefined,
  compare: () => undefined,
  stop: () => undefined,
};
