// Generated from the service's OpenAPI document by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import {
  type Reader,
  readAmount,
  readList,
  readNullable,
  readNumber,
  readObject,
  readOneOf,
  readString,
} from '../../http/readers.js';

/** Codes of the errors of this API: `code` of an `ApiError`. */
export type PartnerErrorCode =
  | 'ALREADY_REGISTERED'
  | 'EVENT_NOT_FOUND'
  | 'INTERNAL_ERROR'
  | 'INVALID_API_KEY'
  | 'INVALID_NONCE'
  | 'INVALID_SIGNATURE'
  | 'METHOD_NOT_ALLOWED'
  | 'NOT_FOUND'
  | 'RATE_LIMIT_EXCEEDED'
  | 'SCOPE_MISSING'
  | 'SERVICE_UNAVAILABLE'
  | 'TOO_MANY_WEBHOOKS'
  | 'USER_NOT_FOUND'
  | 'VALIDATION_ERROR'
  | 'WEBHOOK_NOT_FOUND';

export interface PartnerVersion {
  readonly version: 'v1';
}

/** @throws ConnectionError unless it is one */
export const readPartnerVersion: Reader<PartnerVersion> = /* @__PURE__ */ readObject({
  version: readOneOf('v1'),
});

/** The message that a user signs to be registered */
export interface RegistrationMessage {
  /** What the user signs, as UTF-8: names the service, the partner, the nonce and its expiry */
  readonly message: string;
  /** To send with the signature, once, within 10 minutes */
  readonly nonce: string;
}

/** @throws ConnectionError unless it is one */
export const readRegistrationMessage: Reader<RegistrationMessage> = /* @__PURE__ */ readObject({
  message: readString,
  nonce: readString,
});

export interface UserRegistered {
  readonly status: 200;
  readonly success: true;
}

/** @throws ConnectionError unless it is one */
export const readUserRegistered: Reader<UserRegistered> = /* @__PURE__ */ readObject({
  status: readOneOf(200),
  success: readOneOf(true),
});

/** A registered user, with totals of the finalized trades since */
export interface PartnerUser {
  /** The user's wallet: 32 bytes in base58 */
  readonly publicKey: string;
  /** When the user was registered, UTC */
  readonly registeredAt: string;
  /** Lamports that the finalized trades since registration paid and received */
  readonly volumeSol: bigint;
  /** Lamports of platform fees of these trades */
  readonly feesSol: bigint;
  /** Lamports of referral rewards of these trades, for the partner's payout wallet */
  readonly rewardSol: bigint;
}

/** @throws ConnectionError unless it is one */
export const readPartnerUser: Reader<PartnerUser> = /* @__PURE__ */ readObject({
  publicKey: readString,
  registeredAt: readString,
  volumeSol: readAmount,
  feesSol: readAmount,
  rewardSol: readAmount,
});

export interface PartnerUsers {
  readonly users: readonly PartnerUser[];
  /** Where the next page begins; null on the last */
  readonly nextCursor: string | null;
}

/** @throws ConnectionError unless it is one */
export const readPartnerUsers: Reader<PartnerUsers> = /* @__PURE__ */ readObject({
  users: readList(readPartnerUser),
  nextCursor: readNullable(readString),
});

/** What the users of a partner have traded, and what the partner earns */
export interface PartnerStats {
  /** Registered users */
  readonly users: bigint;
  /** Their finalized trades since registration */
  readonly trades: bigint;
  /** Lamports that the finalized trades since registration paid and received */
  readonly volumeSol: bigint;
  /** Lamports of platform fees of these trades */
  readonly feesSol: bigint;
  /** Lamports of referral rewards of these trades, for the partner's payout wallet */
  readonly rewardSol: bigint;
}

/** @throws ConnectionError unless it is one */
export const readPartnerStats: Reader<PartnerStats> = /* @__PURE__ */ readObject({
  users: readAmount,
  trades: readAmount,
  volumeSol: readAmount,
  feesSol: readAmount,
  rewardSol: readAmount,
});

/** An endpoint and what waits for it */
export interface Webhook {
  /** Id of the webhook */
  readonly id: string;
  readonly url: string;
  /** Null for all */
  readonly types: readonly string[] | null;
  /** Disabled by an answer 410, until a replay */
  readonly state: 'active' | 'disabled';
  /** Events that it has not taken yet */
  readonly waiting: number;
  /** Why it has not taken the oldest of them */
  readonly problem: string | null;
  /** Events that were given up after a day */
  readonly dead: number;
  /** The newest of those, ten at most */
  readonly deadLetters: readonly {
    /** Id of an event, its header `webhook-id` */
    readonly event: string;
    readonly type: string;
    readonly diedAt: string;
    readonly problem: string;
  }[];
}

/** @throws ConnectionError unless it is one */
export const readWebhook: Reader<Webhook> = /* @__PURE__ */ readObject({
  id: readString,
  url: readString,
  types: readNullable(readList(readString)),
  state: readOneOf('active', 'disabled'),
  waiting: readNumber,
  problem: readNullable(readString),
  dead: readNumber,
  deadLetters: readList(
    readObject({ event: readString, type: readString, diedAt: readString, problem: readString }),
  ),
});

export interface Webhooks {
  readonly webhooks: readonly Webhook[];
}

/** @throws ConnectionError unless it is one */
export const readWebhooks: Reader<Webhooks> = /* @__PURE__ */ readObject({ webhooks: readList(readWebhook) });

/** A new endpoint and its secret */
export interface WebhookAdded {
  /** Id of the webhook */
  readonly id: string;
  /** `whsec_…`, for the libraries of Standard Webhooks */
  readonly secret: string;
}

/** @throws ConnectionError unless it is one */
export const readWebhookAdded: Reader<WebhookAdded> = /* @__PURE__ */ readObject({
  id: readString,
  secret: readString,
});

export interface WebhookRotated {
  /** `whsec_…`, for the libraries of Standard Webhooks */
  readonly secret: string;
}

/** @throws ConnectionError unless it is one */
export const readWebhookRotated: Reader<WebhookRotated> = /* @__PURE__ */ readObject({ secret: readString });

export interface WebhookReplayed {
  /** How many events will be sent */
  readonly events: number;
}

/** @throws ConnectionError unless it is one */
export const readWebhookReplayed: Reader<WebhookReplayed> = /* @__PURE__ */ readObject({
  events: readNumber,
});

export interface WebhookTested {
  /** Id of an event, its header `webhook-id` */
  readonly event: string;
}

/** @throws ConnectionError unless it is one */
export const readWebhookTested: Reader<WebhookTested> = /* @__PURE__ */ readObject({ event: readString });

export interface WebhookRemoved {
  /** Id of the webhook */
  readonly removed: string;
}

/** @throws ConnectionError unless it is one */
export const readWebhookRemoved: Reader<WebhookRemoved> = /* @__PURE__ */ readObject({ removed: readString });

/** Body of a request. */
export interface UserRegistration {
  /** The user's wallet: 32 bytes in base58 */
  readonly publicKey: string;
  /** The user's ed25519 signature of the message: 64 bytes in base58 */
  readonly signature: string;
  /** The nonce that came with the message */
  readonly nonce: string;
  /** Base64 of the bytes that the wallet has signed, when they are the text in an off-chain message envelope of version 0, as hardware wallets sign it. Needed only for envelopes with an application's domain. */
  readonly signedMessage?: string;
}

/** Body of a request. */
export interface WebhookToAdd {
  /** An https URL that leads to a public address */
  readonly url: string;
  /** The types of events to send; all without it */
  readonly types?: readonly ('user.registered' | 'reward.claimable' | 'claim.ended')[];
}

/** Body of a request. */
export interface WebhookRotation {
  /** How long the old secret signs too. A third secret ends at once */
  readonly overlapSeconds?: number;
}

/** Body of a request. */
export interface WebhookReplay {
  /** The id of the first event to send, or a time in ISO 8601 */
  readonly from: string;
}
