/** Client of the Partner API: `@curvekit/sdk/partner`. For servers: the API key is a secret, never ship it to a browser. */
import { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { InvalidArgumentError } from '../errors.js';
import { ConnectionError } from './errors.js';
import type { JsonValue } from './json.js';
import {
  asAmount,
  asArray,
  asObject,
  asString,
  Transport,
  type ApiRequest,
  type ErrorBody,
  type TransportOptions,
} from './transport.js';

export { ApiError, ConnectionError } from './errors.js';
export type { TransportOptions } from './transport.js';

/** Codes of the errors of this API: `code` of an `ApiError`. */
export type PartnerErrorCode =
  | 'VALIDATION_ERROR'
  | 'INVALID_API_KEY'
  | 'SCOPE_MISSING'
  | 'INVALID_NONCE'
  | 'INVALID_SIGNATURE'
  | 'ALREADY_REGISTERED'
  | 'RATE_LIMIT_EXCEEDED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR';

export interface PartnerClientOptions extends TransportOptions {
  /** As the operator handed it over: `curvekit_…`. */
  readonly apiKey: string;
}

/** A user who can sign: a wallet adapter, or a keypair behind a function. */
export interface SigningUser {
  readonly publicKey: PublicKey;
  /** The user's ed25519 signature of the bytes. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
}

/** What a user signs, and the nonce to send with the signature. Good for one registration within ten minutes. */
export interface RegistrationMessage {
  /** Signed as UTF-8. */
  readonly message: string;
  readonly nonce: string;
}

/** A user's signature of a registration message. */
export interface SignedRegistration {
  readonly publicKey: PublicKey;
  /** 64 bytes. */
  readonly signature: Uint8Array;
  readonly nonce: string;
}

/** A registered user, with totals of the finalized trades since. Lamports. */
export interface PartnerUser {
  readonly publicKey: PublicKey;
  readonly registeredAt: Date;
  /** Paid and received. */
  readonly volumeSol: bigint;
  /** Platform fees. */
  readonly feesSol: bigint;
  /** Referral rewards. */
  readonly rewardSol: bigint;
}

export interface PartnerUserPage {
  readonly users: readonly PartnerUser[];
  /** Where the next page begins; null after the last. */
  readonly nextCursor: string | null;
}

/** Totals of all users. Amounts in lamports. */
export interface PartnerStats {
  readonly users: bigint;
  readonly trades: bigint;
  readonly volumeSol: bigint;
  readonly feesSol: bigint;
  readonly rewardSol: bigint;
}

const ROOT = '/v1/internal';
const LARGEST_PAGE = 100;

export class PartnerClient {
  readonly #transport: Transport;
  readonly #headers: ApiRequest['headers'];

  /** @throws InvalidArgumentError for a key that has not the form of one, or a base that is no URL */
  constructor({ apiKey, ...options }: PartnerClientOptions) {
    if (!/^curvekit_[0-9a-f]{16}_[0-9a-f]{72}$/.test(apiKey)) {
      throw new InvalidArgumentError('apiKey', 'is not an API key; it must be curvekit_… as it was issued');
    }
    this.#transport = new Transport(options, readError);
    this.#headers = () => Promise.resolve({ 'x-api-key': apiKey });
  }

  /** Version of the API. Says, too, whether the key is good. @throws ApiError, ConnectionError */
  async version(): Promise<string> {
    return asString((await this.#request({ method: 'GET', path: ROOT }))['version'], 'version');
  }

  /** A new message for a user to sign. @throws ApiError, ConnectionError */
  async registrationMessage(): Promise<RegistrationMessage> {
    const answer = await this.#request({ method: 'GET', path: `${ROOT}/auth/get-message` });
    return { message: asString(answer['message'], 'message'), nonce: asString(answer['nonce'], 'nonce') };
  }

  /**
   * Registers a user who signed a message.
   *
   * @throws ApiError such as `ALREADY_REGISTERED`, `INVALID_SIGNATURE` or `INVALID_NONCE`; ConnectionError, when the user
   *   may or may not be registered: registering again, with a new message, tells
   */
  async register({ publicKey, signature, nonce }: SignedRegistration): Promise<void> {
    await this.#request({
      method: 'POST',
      path: `${ROOT}/auth/register`,
      body: { publicKey: publicKey.toBase58(), signature: bs58.encode(signature), nonce },
    });
  }

  /** Gets a message, lets the user sign it, and registers the user. @throws as `register`, or whatever the wallet throws */
  async registerUser(user: SigningUser): Promise<void> {
    const { message, nonce } = await this.registrationMessage();
    const signature = await user.signMessage(new TextEncoder().encode(message));
    await this.register({ publicKey: user.publicKey, signature, nonce });
  }

  /**
   * A page of the partner's users, in the order of their registration.
   *
   * @param options.cursor the `nextCursor` of the page before; the first page without it
   * @param options.limit users of one page, 1 to 100; 50 without it
   * @throws ApiError, ConnectionError; InvalidArgumentError for a limit out of range
   */
  async users({
    cursor,
    limit,
  }: { readonly cursor?: string; readonly limit?: number } = {}): Promise<PartnerUserPage> {
    if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= LARGEST_PAGE)) {
      throw new InvalidArgumentError('limit', `must be a whole number from 1 to ${LARGEST_PAGE}`);
    }
    const answer = await this.#request({
      method: 'GET',
      path: `${ROOT}/users`,
      query: { cursor, limit: limit?.toString() },
    });
    const next = answer['nextCursor'];
    return {
      users: asArray(answer['users'], 'users').map(readUser),
      nextCursor: next === null ? null : asString(next, 'nextCursor'),
    };
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

  /** Totals of all users. @throws ApiError, ConnectionError */
  async stats(): Promise<PartnerStats> {
    const answer = await this.#request({ method: 'GET', path: `${ROOT}/stats` });
    return {
      users: asAmount(answer['users'], 'users'),
      trades: asAmount(answer['trades'], 'trades'),
      ...readAmounts(answer),
    };
  }

  async #request(request: ApiRequest): Promise<{ readonly [name: string]: JsonValue }> {
    return asObject(await this.#transport.request({ ...request, headers: this.#headers }), 'the whole');
  }
}

function readError(body: JsonValue | undefined): ErrorBody | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, message } = body as Record<string, JsonValue | undefined>;
  return typeof error === 'string' && typeof message === 'string' ? { code: error, message } : undefined;
}

function readUser(value: JsonValue): PartnerUser {
  const user = asObject(value, 'a user');
  return {
    publicKey: readAddress(user['publicKey']),
    registeredAt: readMoment(user['registeredAt']),
    ...readAmounts(user),
  };
}

function readAmounts(fields: { readonly [name: string]: JsonValue }) {
  return {
    volumeSol: asAmount(fields['volumeSol'], 'volumeSol'),
    feesSol: asAmount(fields['feesSol'], 'feesSol'),
    rewardSol: asAmount(fields['rewardSol'], 'rewardSol'),
  };
}

function readAddress(value: JsonValue | undefined): PublicKey {
  const text = asString(value, 'publicKey');
  try {
    return new PublicKey(text);
  } catch (cause) {
    throw new ConnectionError('publicKey of the answer is no address: is this the service?', { cause });
  }
}

function readMoment(value: JsonValue | undefined): Date {
  const moment = new Date(asString(value, 'registeredAt'));
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new ConnectionError('registeredAt of the answer is no moment: is this the service?');
}
