// Why a claim is refused.
import { SignerError } from '../keys/signer.js';
import type { NotStored } from './repository.js';

/** What the client gets, and whether the same request is always refused. `unavailable` answers as any other part of the service does. */
export const REFUSALS = {
  /** Nothing to claim, or nothing that can be paid. */
  claim: { status: 400, code: 'CLAIM_ERROR', isLasting: true },
  /** Like `claim`, but the same request can succeed later. */
  later: { status: 400, code: 'CLAIM_ERROR', isLasting: false },
  token: { status: 404, code: 'TOKEN_NOT_FOUND', isLasting: true },
  /** Another claim of the wallet and token is in progress. */
  'in progress': { status: 409, code: 'CLAIM_IN_PROGRESS', isLasting: false },
  /** The idempotency key was used for another request. */
  'key reused': { status: 422, code: 'IDEMPOTENCY_KEY_REUSED', isLasting: false },
  /** Claims are closed, or the RPC node or the signer does not answer. */
  unavailable: { isLasting: false },
} as const;
export type ClaimRefusal = keyof typeof REFUSALS;

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
  'referral not funded': 'has not received the fees that pay these rewards',
};

export function isShort(reason: NotStored): reason is Short {
  return reason in SHORT_OF;
}

const NOTHING_CAN_BE_PAID = 'Nothing can be paid at the moment; try again later';

/** The same error, as a refusal if the signer did not answer. */
export function orUnavailable(cause: unknown): unknown {
  return cause instanceof SignerError
    ? new ClaimRefusedError('unavailable', NOTHING_CAN_BE_PAID, { cause })
    : cause;
}

export function inProgress(): ClaimRefusedError {
  return new ClaimRefusedError('in progress', 'A claim for this token is in progress already');
}
