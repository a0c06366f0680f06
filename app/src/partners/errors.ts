import { ExplainedError } from '../base/errors.js';

/** Reasons for refusing a partner's request. The routes turn them into HTTP errors. */
export type PartnerRefusal =
  /** The key is missing, malformed, unknown, expired or revoked. The answer does not say which. */
  | 'unauthorized'
  /** The key lacks the scope. */
  | 'scope'
  /** The nonce is unknown, used, expired, or of another partner. */
  | 'nonce'
  /** The signature of the message is not the user's. */
  | 'signature'
  /** The user belongs to another partner already, or to this one by another nonce. */
  | 'registered'
  /** This partner has no such user. */
  | 'user'
  /** The cluster does not answer. */
  | 'unavailable';

/** A refused request of a partner. The message is for the partner and contains no secret. */
export class PartnerError extends Error {
  override readonly name = 'PartnerError';

  constructor(
    readonly refusal: PartnerRefusal,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A failed key command. The message says what is wrong and how to fix it. */
export class KeyCommandError extends ExplainedError {
  override readonly name = 'KeyCommandError';
}
