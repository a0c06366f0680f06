// Which database pays: the decision alone, without a chain or a database. docs/decisions/split-brain.md says why two never do.

/**
 * A claim is signed only if it expires at most this many blocks after the finalized block at which the epoch was last seen. A claim
 * lives for 151 blocks, a finalized block is about 32 blocks old, and 73 blocks, 29 seconds, may pass between two looks.
 */
export const LEASE_BLOCKS = 256;

/** The epoch of an account that had none, or of which it is not known. */
const NO_MARK = '';

/** What the tables say about the epoch of a treasury. */
export interface Known {
  /** The epoch that this database has, or was about to write. */
  readonly mark: string | null;
  /** What was there before; null when there was no account. */
  readonly previous: string | null;
  /** The finalized height from which on claims may be signed; null until the epoch was seen on chain. */
  readonly opensAt: number | null;
}

/** What a look at the chain shows. */
export interface Seen {
  /** The epoch of the database as it runs now. */
  readonly own: string;
  /** The epoch in the finalized account at this height or later. */
  readonly onChain: string | undefined;
  /** Finalized block height. */
  readonly height: number;
}

export type Decision =
  /** This database pays, from that finalized height on. */
  | { readonly kind: 'own'; readonly opensAt: number }
  /** This database continues the one that has the epoch, so it may write its own. */
  | { readonly kind: 'successor' }
  /** Another database has taken over, of which this one does not know. */
  | { readonly kind: 'lost'; readonly to: string };

export function decide(known: Known, { own, onChain, height }: Seen): Decision {
  if (onChain === own) return { kind: 'own', opensAt: opensAt(known, own, height) };
  // Once the own epoch was on chain, the one before it is there again only because somebody chose that database.
  const isStillThere = known.opensAt === null && onChain === known.previous;
  if (onChain === undefined || onChain === known.mark || isStillThere) return { kind: 'successor' };
  return { kind: 'lost', to: onChain };
}

function opensAt(known: Known, own: string, height: number): number {
  if (known.mark !== own) return height + LEASE_BLOCKS;
  if (known.opensAt !== null) return known.opensAt;
  // Who opens the account is the first: nobody has signed claims before.
  return known.previous === null ? height : height + LEASE_BLOCKS;
}

/** What a database knows once its own epoch is on chain. */
export function ownerOf({ mark, previous }: Known, own: string, opensAt: number): Known {
  return { mark: own, previous: mark === own ? previous : mark, opensAt };
}

/** What a successor knows when it writes its epoch. A node that is behind may show no epoch although there was one. */
export function heirOf(known: Known, { own, onChain }: Seen, isOpened: boolean): Known {
  const before = known.mark === null ? (isOpened ? NO_MARK : null) : known.mark;
  return { mark: own, previous: onChain ?? (known.mark === own ? known.previous : before), opensAt: null };
}

/** What a database knows when an operator lets it take over from the one that has the epoch. */
export function takingOver(onChain: string): Known {
  return { mark: onChain, previous: NO_MARK, opensAt: null };
}

/** The highest `lastValidBlockHeight` of a claim that may be signed; undefined while none may be. */
export function validTo(opensAt: number, height: number): number | undefined {
  return height >= opensAt ? height + LEASE_BLOCKS : undefined;
}
