// Reasons for refusing a claim.
import { SignerError } from '../keys/signer.js';
import type { NotStored } from './repository.js';
import { NodeUnavailableError } from './treasury.js';

export const CLAIM_REFUSALS = [
  /** Nothing to claim, or nothing that can be paid. */
  'claim',
  /** Like `claim`, but the same request can succeed later. */
  'later',
  /** The token does not exist. */
  'token',
  /** Another claim of the wallet and token is in progress. */
  'in progress',
  /** The idempotency key was used for another request. */
  'key reused',
  /** Claims are closed, or the RPC node does not answer. */
  'unavailable',
] as const;
export type ClaimRefusal = (typeof CLAIM_REFUSALS)[number];

/** A claim that is refused. The message is for the wallet's owner. */
export class ClaimRefusedError extends Error {
  override readonly name = 'ClaimRefusedError';

  constructor(
    readonly refusal: ClaimRefusal,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Shortages that can end when another claim ends. */
export type Short = Extract<NotStored, `short of ${string}` | 'referral not funded'>;

export const SHORT_OF: Readonly<Record<Short, string>> = {
  'short of tokens': 'is short of tokens',
  'short of SOL': 'is short of SOL',
  'short of SOL for the network': 'is short of SOL for the network',
  'referral not funded': 'has not received the fees that pay these referral rewards',
};

export function isShort(reason: NotStored): reason is Short {
  return reason in SHORT_OF;
}

export const NOTHING_CAN_BE_PAID = 'Nothing can be paid at the moment; try again later';

/** What the owner of a wallet is told when something that pays claims does not answer; undefined for other errors. */
export function unavailabilityOf(cause: unknown): string | undefined {
  if (cause instanceof NodeUnavailableError) return 'The cluster cannot be reached; try again later';
  if (cause instanceof SignerError) return NOTHING_CAN_BE_PAID;
  return undefined;
}

/** Whether the same request will always be refused. */
export function isLasting({ refusal }: ClaimRefusedError): boolean {
  return refusal === 'claim' || refusal === 'token';
}

export function inProgress(): ClaimRefusedError {
  return new ClaimRefusedError('in progress', 'A claim for this token is in progress already');
}
