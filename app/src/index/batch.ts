// Reads a batch of transactions in the order of the chain. Transactions that already have previews are not read again.
import type { Deployment } from '@curvekit/sdk';
import type { Database } from '../db/database.js';
import { decode, type Decoded } from './found.js';
import type { Commitment, Listed, NodeHistory } from './node-history.js';
import type { UnnumberedRecord } from './records.js';
import { loadPreviews, storedAmong, type Preview } from './store/previews.js';
import type { Unreadable } from './store/unreadable.js';

const FETCHED_AT_ONCE = 2_000;

/** What a batch of transactions changes in the tables. */
export interface Batch {
  /** Previews up to this record agree with the batch. */
  readonly agreedTo: bigint | undefined;
  /** Previews from this record on must be dropped. */
  readonly dropFrom: bigint | undefined;
  /** Records to add, in order. */
  readonly fresh: readonly UnnumberedRecord[];
  readonly unreadable: readonly Unreadable[];
  /** There were no previews, so this batch does not depend on the previous one. */
  readonly independent: boolean;
}

export interface BatchSource {
  readonly database: Database;
  readonly history: NodeHistory;
  readonly deployment: Deployment;
}

/** Transactions that the RPC node lists at a commitment. */
export interface ListedRange {
  readonly commitment: Commitment;
  /** Oldest first. */
  readonly listed: readonly Listed[];
  /** Nothing is missing from the list up to this slot. */
  readonly completeTo: number;
  /** All records of curves up to this id are final, as far as is known. */
  readonly finalizedTo?: bigint;
}

/**
 * Reads a batch.
 *
 * @throws IncompleteTransactionError when the RPC node does not return a transaction that it lists
 */
export async function readBatch(
  { database: { queries }, history, deployment }: BatchSource,
  { commitment, listed, completeTo, finalizedTo = 0n }: ListedRange,
  signal: AbortSignal,
): Promise<Batch> {
  const successful = listed.filter(({ failed }) => !failed);
  // The comparison ends at the first preview that is not listed, so more previews are not needed.
  const previews = await loadPreviews(queries, finalizedTo, successful.length + 1);
  const shown = new Set(previews.map(({ signature }) => signature));
  const stored = await storedAmong(
    queries,
    successful.flatMap(({ signature }) => (shown.has(signature) ? [] : signature)),
  );
  // An RPC node that does not know the cursor also lists booked transactions.
  const open = successful.filter(({ signature }) => stored.get(signature)?.finalized !== true);
  const fetched = new Map<string, Decoded>();

  const freshBeside = async (
    agreed: readonly { readonly signature: string }[],
  ): Promise<UnnumberedRecord[]> => {
    const known = new Set(agreed.map(({ signature }) => signature));
    const wanted = open.filter(({ signature }) => !known.has(signature));
    const missing = wanted.filter(({ signature }) => !fetched.has(signature));
    // In parts: a decoded transaction takes a tenth of its memory.
    for (let start = 0; start < missing.length; start += FETCHED_AT_ONCE) {
      const part = missing.slice(start, start + FETCHED_AT_ONCE);
      const settled = await history.fetch(part, commitment, signal);
      for (const [index, { signature }] of part.entries()) {
        fetched.set(signature, decode(settled[index]!, deployment));
      }
    }
    return wanted.flatMap(({ signature }) => {
      const decoded = fetched.get(signature)!;
      return decoded.kind === 'records' ? decoded.records : [];
    });
  };

  let comparison = compare(open, previews, completeTo);
  let fresh = await freshBeside(comparison.agreed);
  if (fresh[0] !== undefined) {
    comparison = withMissed(comparison, open, previews, fresh[0].signature);
    fresh = await freshBeside(comparison.agreed);
  }
  return {
    agreedTo: comparison.agreed.at(-1)?.lastId,
    dropFrom: comparison.differs?.firstId,
    fresh,
    unreadable: [...fetched.values()].filter((decoded) => decoded.kind === 'unreadable'),
    independent: previews.length === 0,
  };
}

// Compares the previews with the list of finalized transactions.

interface Comparison {
  /** Confirmed previews, in order: the finalized list has the same transactions, slots and order. */
  readonly agreed: readonly Preview[];
  /** The first preview that differs: it and all later ones must be dropped. */
  readonly differs: Preview | undefined;
}

/**
 * @param listed finalized transactions that succeeded, oldest first
 * @param previews in order
 * @param completeTo the list is complete up to this slot; previews of later slots stay undecided
 */
function compare(listed: readonly Listed[], previews: readonly Preview[], completeTo: number): Comparison {
  const places = new Map(listed.map(({ signature }, place) => [signature, place]));
  const agreed: Preview[] = [];
  let lastPlace = -1;
  for (const preview of previews) {
    const place = places.get(preview.signature);
    if (place === undefined) {
      const undecided = preview.slot > completeTo;
      return { agreed, differs: undecided ? undefined : preview };
    }
    if (place <= lastPlace || listed[place]!.slot !== preview.slot) return { agreed, differs: preview };
    agreed.push(preview);
    lastPlace = place;
  }
  return { agreed, differs: undefined };
}

/**
 * Like `compare`, when transactions have records that no preview has. Ids must grow in the order of the chain, so every
 * preview after the first such transaction must be dropped, also undecided ones.
 */
function withMissed(
  comparison: Comparison,
  listed: readonly Listed[],
  previews: readonly Preview[],
  firstMissed: string,
): Comparison {
  const places = new Map(listed.map(({ signature }, place) => [signature, place]));
  const missedPlace = places.get(firstMissed)!;
  const agreed = comparison.agreed.filter(({ signature }) => places.get(signature)! < missedPlace);
  return { agreed, differs: previews[agreed.length] };
}
