// Compares the previews with the list of finalized transactions.
import type { Listed } from './node-history.js';
import type { Preview } from './store/previews.js';

export interface Comparison {
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
export function compare(
  listed: readonly Listed[],
  previews: readonly Preview[],
  completeTo: number,
): Comparison {
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
export function withMissed(
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
