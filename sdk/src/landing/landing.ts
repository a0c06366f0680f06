// The possible outcomes of a signed transaction.
import type { SignatureStatus } from '../chain/types.js';
import { requireObject } from '../checks/options.js';
import type { DurableNonce } from '../transactions/nonce.js';

/** The commitment of a block. */
export type LandingCommitment = 'processed' | 'confirmed' | 'finalized';

/** The signature of a transaction and its expiry. */
export interface SignedTransaction {
  readonly signature: string;
  /** The last block height at which it can land. Not used with a nonce. */
  readonly lastValidBlockHeight: number;
  /** The nonce that it has in place of a blockhash: it can land until the nonce advances. */
  readonly nonce?: DurableNonce | undefined;
}

/** The transaction is in a block. */
export interface LandedOutcome {
  readonly kind: 'landed';
  readonly slot: number;
  /** The runtime's error. Null when the transaction succeeded. */
  readonly err: unknown;
  readonly commitment: LandingCommitment;
}

/** The transaction is in no block and never will be. */
export interface ExpiredOutcome {
  readonly kind: 'expired';
  /** The error of the last send, if it failed. */
  readonly cause?: unknown;
}

/** The RPC node can neither find the transaction nor prove that it did not land. */
export interface UnknownOutcome {
  readonly kind: 'unknown';
  readonly reason: string;
  /** The last error of the node, if there was one. */
  readonly cause?: unknown;
}

/** What an RPC node reports about a signed transaction. */
export type Landing =
  | LandedOutcome
  /** The transaction can still land. */
  | { readonly kind: 'pending' }
  /** The blockhash has expired, but it is too early to prove that the transaction did not land. */
  | { readonly kind: 'expiring' }
  | ExpiredOutcome
  | UnknownOutcome;

/** The final outcome of a transaction, as far as the RPC node knows. */
export type LandingOutcome = LandedOutcome | ExpiredOutcome | UnknownOutcome;

const COMMITMENTS: readonly LandingCommitment[] = ['processed', 'confirmed', 'finalized'];

/** Whether a block's commitment is at least the wanted one. */
export function hasReached(actual: LandingCommitment, wanted: LandingCommitment): boolean {
  return COMMITMENTS.indexOf(actual) >= COMMITMENTS.indexOf(wanted);
}

/** Statuses of old transactions have neither a commitment nor confirmations. */
export function landedAt(status: SignatureStatus): LandedOutcome {
  requireObject('status', status);
  const { slot, err, confirmationStatus, confirmations } = status;
  const commitment = confirmationStatus ?? (confirmations === null ? 'finalized' : 'processed');
  return { kind: 'landed', slot, err, commitment };
}
