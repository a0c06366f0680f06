// Where the previews and the list of finalized transactions tell the same, and where they part.
import type { Listed } from './node-history.js';
import type { Preview } from './store/previews.js';

export interface Comparison {
  /** Previews that turned out true, in order: the finalized list has them at their slots, in their order. */
  readonly agreed: readonly Preview[];
  /** The first that did not: it and all after it must go. */
  readonly differs: Preview | undefined;
}

/**
 * @param listed finalized transactions that succeeded, oldest first
 * @param previews in order
 * @param completeTo the list has everything up to this slot; a preview of a later one is still undecided
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
 * The same when transactions turn out to have records that no preview has: ids must grow in the chain's order, so every
 * preview after the first of these, undecided ones too, must go.
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
