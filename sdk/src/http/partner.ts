/** Client of the Partner API: `@curvekit/sdk/partner`. For servers: the API key is a secret, never ship it to a browser. */
import { isAddress, requireAccountAddress, type AddressLike } from '../checks/address.js';
import { requireInteger } from '../checks/numbers.js';
import { requireKnown, requireObject } from '../checks/options.js';
import { encodeBase58 } from '../encoding/base58.js';
import { encodeBase64 } from '../encoding/base64.js';
import { InvalidArgumentError } from '../errors/index.js';
import {
  readPartnerStats,
  readPartnerUser,
  readPartnerUsers,
  readPartnerVersion,
  readRegistrationMessage,
  readUserRegistered,
  readWebhookAdded,
  readWebhookRemoved,
  readWebhookReplayed,
  readWebhookRotated,
  readWebhooks,
  readWebhookTested,
  type PartnerErrorCode,
  type PartnerStats,
  type RegistrationMessage,
  type Webhook,
  type WebhookAdded,
  type WebhookToAdd,
} from '../generated/api/partner.js';
import type * as wire from '../generated/api/partner.js';
import { encodeUtf8 } from '../platform/utf8.js';
import { ApiError, ConnectionError } from './errors.js';
import { parseJson, type JsonValue } from './json.js';
import { readSigned } from './signed-message.js';
import { Transport, type ApiRequest, type ErrorBody, type TransportOptions } from './transport.js';
import { requireWallet, type MessageWallet } from './wallets.js';

export type {
  PartnerErrorCode,
  PartnerStats,
  RegistrationMessage,
  Webhook,
  WebhookAdded,
  WebhookToAdd,
} from '../generated/api/partner.js';
export { ApiError, ConnectionError, type FieldProblem } from './errors.js';
export { OtherMessageSignedError, type SignedMessage } from './signed-message.js';
export type { TransportOptions } from './transport.js';
export type { MessageWallet } from './wallets.js';
export type { AddressLike } from '../checks/address.js';

/** Options of {@link PartnerClient}. */
export interface PartnerClientOptions extends TransportOptions {
  /** The key as the operator issued it: `curvekit_…`. */
  readonly apiKey: string;
}

/** A user's signature of a registration message. */
export interface SignedRegistration {
  readonly publicKey: AddressLike;
  /** 64 bytes. */
  readonly signature: Uint8Array;
  readonly nonce: string;
  /** The bytes that the wallet has signed, when they are not the message alone, as hardware wallets have it. */
  readonly signedMessage?: Uint8Array | undefined;
}

/** A registered user, with totals of the finalized trades since the registration. Amounts in lamports. */
export interface PartnerUser extends Omit<wire.PartnerUser, 'registeredAt'> {
  readonly registeredAt: Date;
}

/** A page of the partner's users. */
export interface PartnerUserPage extends Omit<wire.PartnerUsers, 'users'> {
  readonly users: readonly PartnerUser[];
}

/** Whether an error is this API's refusal with this code. */
export function isRefusal(error: unknown, code: PartnerErrorCode): error is ApiError<PartnerErrorCode> {
  return error instanceof ApiError && error.code === code;
}

const ROOT = '/v1/internal';
const WEBHOOKS = '/v1/partner/webhooks';
const LARGEST_PAGE = 100;
const SIGNATURE_BYTES = 64;
/** The name of an answer in error messages. */
const ANSWER = 'the answer';

/** Client of the Partner API. The operator issues its key. Keep the key on a server, never in a browser. */
export class PartnerClient {
  readonly #transport: Transport;
  readonly #headers: ApiRequest['headers'];

  /** @throws InvalidArgumentError for a malformed key, or a base that is not an http(s) URL */
  constructor(given: PartnerClientOptions) {
    requireObject('options', given);
    const { apiKey, ...options } = given;
    if (typeof apiKey !== 'string' || !/^curvekit_[0-9a-f]{16}_[0-9a-f]{72}$/.test(apiKey)) {
      throw new InvalidArgumentError('apiKey', 'is not an API key; it must be curvekit_… as it was issued');
    }
    this.#transport = new Transport(options, readError, parseJson);
    this.#headers = () => Promise.resolve({ 'x-api-key': apiKey });
  }

  /** Version of the API. Use it to check the key. @throws ApiError, ConnectionError */
  async version(): Promise<string> {
    return readPartnerVersion(await this.#request({ method: 'GET', path: ROOT }), ANSWER).version;
  }

  /** A new message for a user to sign. @throws ApiError, ConnectionError */
  async registrationMessage(): Promise<RegistrationMessage> {
    return readRegistrationMessage(
      await this.#request({ method: 'GET', path: `${ROOT}/auth/get-message` }),
      ANSWER,
    );
  }

  /**
   * Registers a user who signed a message. Sent again when the answer is lost: the same registration succeeds twice.
   *
   * @throws ApiError such as `ALREADY_REGISTERED`, `INVALID_SIGNATURE` or `INVALID_NONCE`; ConnectionError, after which
   *   the user may or may not be registered: `user` says it
   */
  async register(registration: SignedRegistration): Promise<void> {
    requireKnown('registration', registration, {
      publicKey: true,
      signature: true,
      nonce: true,
      signedMessage: true,
    });
    const { publicKey, signature, nonce, signedMessage } = registration;
    const address = requireAccountAddress('registration.publicKey', publicKey);
    if (!(signature instanceof Uint8Array) || signature.length !== SIGNATURE_BYTES)
      throw new InvalidArgumentError('registration.signature', `must be ${SIGNATURE_BYTES} bytes`);
    const body: wire.UserRegistration = {
      publicKey: address,
      signature: encodeBase58(signature),
      nonce,
      ...(signedMessage === undefined ? {} : { signedMessage: encodeBase64(signedMessage) }),
    };
    readUserRegistered(await this.#request({ method: 'POST', path: `${ROOT}/auth/register`, body }), ANSWER);
  }

  /** Gets a message, lets the user sign it, and registers the user. @throws as `register`, or the wallet's error */
  async registerUser(user: MessageWallet): Promise<void> {
    requireWallet('user', user, 'signMessage');
    const { message, nonce } = await this.registrationMessage();
    const text = encodeUtf8(message);
    const signed = readSigned(text, await user.signMessage(text));
    await this.register({ publicKey: user.address, nonce, ...signed });
  }

  /**
   * A page of the partner's users, in the order of their registration. `cursor` is the `nextCursor` of the previous
   * page; the default is the first page. `limit` is the number of users per page, 1 to 100; default 50.
   *
   * @throws ApiError, ConnectionError; InvalidArgumentError for a limit out of range
   */
  async users(options: { readonly cursor?: string; readonly limit?: number } = {}): Promise<PartnerUserPage> {
    requireKnown('options', options, { cursor: true, limit: true });
    const { cursor, limit } = options;
    if (limit !== undefined) requireInteger('limit', limit, LARGEST_PAGE, 1);
    const answer = await this.#request({
      method: 'GET',
      path: `${ROOT}/users`,
      query: { cursor, limit: limit?.toString() },
    });
    const { users, nextCursor } = readPartnerUsers(answer, ANSWER);
    return { users: users.map(withTypes), nextCursor };
  }

  /** All users, page after page. @throws as `users` */
  async *allUsers(): AsyncGenerator<PartnerUser> {
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await this.users({ limit: LARGEST_PAGE, ...(cursor === undefined ? {} : { cursor }) });
      yield* page.users;
      cursor = page.nextCursor;
    }
  }

  /** One user. @throws ApiError such as `USER_NOT_FOUND`, ConnectionError; InvalidArgumentError */
  async user(publicKey: AddressLike): Promise<PartnerUser> {
    const path = `${ROOT}/users/${requireAccountAddress('publicKey', publicKey)}`;
    return withTypes(readPartnerUser(await this.#request({ method: 'GET', path }), ANSWER));
  }

  /** Totals of all users. @throws ApiError, ConnectionError */
  async stats(): Promise<PartnerStats> {
    return readPartnerStats(await this.#request({ method: 'GET', path: `${ROOT}/stats` }), ANSWER);
  }

  /** The partner's webhooks, the oldest first, and what waits for them. @throws ApiError, ConnectionError */
  async webhooks(): Promise<readonly Webhook[]> {
    return readWebhooks(await this.#request({ method: 'GET', path: WEBHOOKS }), ANSWER).webhooks;
  }

  /**
   * Has events of the partner's users sent to a server. The answer has the secret, which is shown this once, for a library
   * of Standard Webhooks. Not sent again when the answer is lost: look at `webhooks`.
   *
   * @throws ApiError such as `TOO_MANY_WEBHOOKS`, ConnectionError; InvalidArgumentError
   */
  async addWebhook(webhook: WebhookToAdd): Promise<WebhookAdded> {
    requireKnown('webhook', webhook, { url: true, types: true });
    return readWebhookAdded(await this.#post(WEBHOOKS, webhook), ANSWER);
  }

  /**
   * Replaces the secret of a webhook. The old one signs too for `overlapSeconds`, by default a day. Not sent again when the
   * answer is lost. @returns the new secret @throws ApiError such as `WEBHOOK_NOT_FOUND`, ConnectionError
   */
  async rotateWebhookSecret(id: string, options: { readonly overlapSeconds?: number } = {}): Promise<string> {
    requireKnown('options', options, { overlapSeconds: true });
    return readWebhookRotated(await this.#post(pathOf(id, 'rotate'), options), ANSWER).secret;
  }

  /**
   * Sends events again, from an event's id or a time on, also to a webhook that was disabled. @returns their number
   * @throws ApiError such as `WEBHOOK_NOT_FOUND` or `EVENT_NOT_FOUND`, ConnectionError
   */
  async replayWebhook(id: string, from: string | Date): Promise<number> {
    const text = from instanceof Date ? from.toISOString().replace(/\.\d+Z$/, 'Z') : from;
    return readWebhookReplayed(await this.#post(pathOf(id, 'replay'), { from: text }), ANSWER).events;
  }

  /** Sends an event of the type `webhook.test`. @returns its id @throws ApiError, ConnectionError */
  async testWebhook(id: string): Promise<string> {
    return readWebhookTested(await this.#post(pathOf(id, 'test')), ANSWER).event;
  }

  /** Removes a webhook. Events that it has not taken are lost. @throws ApiError, ConnectionError */
  async removeWebhook(id: string): Promise<void> {
    readWebhookRemoved(await this.#post(pathOf(id, 'remove')), ANSWER);
  }

  #post(path: string, body?: object): Promise<JsonValue> {
    return this.#request({ method: 'POST', path, body, retries: 0 });
  }

  #request(request: ApiRequest): Promise<JsonValue> {
    return this.#transport.request({ ...request, headers: this.#headers });
  }
}

/** @throws InvalidArgumentError */
function pathOf(id: string, action: string): string {
  if (!/^[0-9a-f]{16}$/.test(id))
    throw new InvalidArgumentError('id', 'must be the id of a webhook: 16 hex digits');
  return `${WEBHOOKS}/${id}/${action}`;
}

function readError(body: JsonValue | undefined): ErrorBody | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, message } = body as Record<string, JsonValue | undefined>;
  return typeof error === 'string' && typeof message === 'string' ? { code: error, message } : undefined;
}

function withTypes({ publicKey, registeredAt, ...totals }: wire.PartnerUser): PartnerUser {
  return { publicKey: readAddress(publicKey), registeredAt: readDate(registeredAt), ...totals };
}

function readAddress(text: string): string {
  if (isAddress(text)) return text;
  throw new ConnectionError(`publicKey of the answer is "${text}", not an address: is this the service?`);
}

function readDate(text: string): Date {
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date;
  throw new ConnectionError(`registeredAt of the answer is "${text}", not a date: is this the service?`);
}
