// What can become of a signed transaction.
import type { SignatureStatus } from '@solana/web3.js';

/** How sure a cluster is of a block. */
export type LandingCommitment = 'processed' | 'confirmed' | 'finalized';

/** What names a signed transaction and says when it expires. */
export interface SignedTransaction {
  readonly signature: string;
  /** The last block height at which it can land. */
  readonly lastValidBlockHeight: number;
}

/** It is in a block. */
export interface LandedOutcome {
  readonly kind: 'landed';
  readonly slot: number;
  /** The runtime's error; null when it succeeded. */
  readonly err: unknown;
  readonly commitment: LandingCommitment;
}

/** It is in no block and never will be. */
export interface ExpiredOutcome {
  readonly kind: 'expired';
  /** Why the last sending failed, when it did. */
  readonly cause?: unknown;
}

/** The RPC node can neither find it nor prove that it did not land. */
export interface UnknownOutcome {
  readonly kind: 'unknown';
  readonly reason: string;
  /** The last error of the node, if it was one. */
  readonly cause?: unknown;
}

/** What an RPC node says about a signed transaction. */
export type Landing =
  | LandedOutcome
  /** It can still land. */
  | { readonly kind: 'pending' }
  /** Its blockhash has expired. It is too early to prove that it did not land. */
  | { readonly kind: 'expiring' }
  | ExpiredOutcome
  | UnknownOutcome;

/** How a transaction ends, as far as the RPC node can say. */
export type LandingOutcome = LandedOutcome | ExpiredOutcome | UnknownOutcome;

const COMMITMENTS: readonly LandingCommitment[] = ['processed', 'confirmed', 'finalized'];

/** Whether a block's commitment is at least the one that is wanted. */
export function hasReached(actual: LandingCommitment, wanted: LandingCommitment): boolean {
  return COMMITMENTS.indexOf(actual) >= COMMITMENTS.indexOf(wanted);
}

/** Statuses of old transactions have neither a commitment nor confirmations. */
export function landedAt({ slot, err, confirmationStatus, confirmations }: SignatureStatus): LandedOutcome {
  const commitment = confirmationStatus ?? (confirmations === null ? 'finalized' : 'processed');
  return { kind: 'landed', slot, err, commitment };
}
