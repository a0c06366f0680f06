/** Why a partner's request is refused. How that is said over HTTP is decided by the routes. */
export type PartnerRefusal =
  /** The key is missing, malformed, unknown, expired or revoked: nobody is told which. */
  | 'unauthorized'
  /** The key lacks the scope. */
  | 'scope'
  /** The nonce is unknown, used or expired, or another partner's. */
  | 'nonce'
  /** The signature is not the user's over the message. */
  | 'signature'
  /** The user belongs to a partner already. */
  | 'registered'
  /** The cluster does not answer. */
  | 'unavailable';

/** A partner's request that is refused. The message is for the partner and holds no secret. */
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

/** An operator's command about keys that cannot be done; the message names what is wrong and the fix. */
export class KeyCommandError extends Error {
  override readonly name = 'KeyCommandError';
}
