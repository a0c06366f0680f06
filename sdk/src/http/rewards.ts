/** Client of the Rewards Claiming API: `@curvekit/sdk/rewards`. */
import { type PublicKey, VersionedTransaction, type Connection } from '@solana/web3.js';
import bs58 from 'bs58';
import { Buffer } from 'buffer';
import { Backoff } from '../backoff.js';
import { CurvekitError, InvalidArgumentError } from '../errors.js';
import { sleep } from '../sleep.js';
import { requireClaim } from './claim-check.js';
import { ApiError, ConnectionError, type FieldProblem } from './errors.js';
import type { JsonValue } from './json.js';
import { nextPageQuery } from './next-page.js';
import {
  asAmount,
  asArray,
  asNumber,
  asObject,
  asString,
  Transport,
  type ApiRequest,
  type ApiResponse,
  type ErrorBody,
  type TransportOptions,
} from './transport.js';

export { UntrustedTransactionError } from './claim-check.js';
export { ApiError, ConnectionError, type FieldProblem } from './errors.js';
export type { TransportOptions } from './transport.js';

/** Codes of the errors of this API. */
export type RewardsErrorCode =
  | 'VALIDATION_ERROR'
  | 'CLAIM_ERROR'
  | 'INVALID_SIGNATURE'
  | 'TOKEN_NOT_FOUND'
  | 'CLAIM_NOT_FOUND'
  | 'CLAIM_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'RATE_LIMIT_EXCEEDED'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR';

/** Any wallet: an adapter of a browser, or a keypair behind two functions. */
export interface RewardsWallet {
  readonly publicKey: PublicKey;
  /** Its ed25519 signature of the bytes. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
}

/** A wallet that can claim. */
export interface ClaimingWallet extends RewardsWallet {
  /** Adds its signature to those that are there. */
  signTransaction(transaction: VersionedTransaction): Promise<VersionedTransaction>;
}

/** Lamports and smallest token units, each with its decimal form. */
export interface Amounts {
  readonly sol: bigint;
  readonly solUi: string;
  readonly token: bigint;
  readonly tokenUi: string;
}

export interface TokenRewards {
  /** What can be claimed now, or soon. */
  readonly unclaimedRewards: Amounts;
  readonly allTimeRewards: Amounts;
}

export interface TokenInfo {
  readonly address: string;
  readonly symbol: string;
  readonly name: string;
  /** URL; empty when there is none. */
  readonly image: string;
  /** Of one token, in USD or SOL as the service is configured; 0 when unknown. For display only. */
  readonly price: number;
}

export type RewardEntry = TokenRewards & { readonly tokenInfo: TokenInfo };

export type ClaimState = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'EXPIRED';

export interface ClaimStatus {
  readonly status: ClaimState;
  readonly message: string;
}

export interface ClaimRequest {
  readonly tokenAddress: PublicKey;
  readonly claimType: 'SOL' | 'TOKEN';
  /** Burns the claimed tokens instead of keeping them. Not for SOL. */
  readonly burnToken?: boolean | undefined;
  /** The same key and request get the same answer for 24 hours. A random one by default. */
  readonly idempotencyKey?: string | undefined;
}

/** A claim whose transaction the treasury has signed, and the wallet not yet. */
export interface InitiatedClaim {
  /** Names the claim: ask `status` with it. */
  readonly signature: string;
  readonly transaction: VersionedTransaction;
}

/** Where `claim` stands. */
export type ClaimProgress =
  | { readonly stage: 'initiated' | 'signed' | 'submitted'; readonly signature: string }
  | { readonly stage: 'status'; readonly signature: string; readonly status: ClaimState }
  /** The service does not say for now. The claim goes on, and so does following it. */
  | {
      readonly stage: 'unknown';
      readonly signature: string;
      readonly problem: ApiError | ConnectionError;
    };

export interface ClaimOptions {
  /** Submits the transaction. */
  readonly connection: Pick<Connection, 'sendRawTransaction'>;
  readonly onProgress?: ((progress: ClaimProgress) => void) | undefined;
  /** Stops following. A claim that was submitted goes on by itself. */
  readonly signal?: AbortSignal | undefined;
  /** First pause between two looks at the status; later ones are longer, for looks are limited. 1,000 ms by default. */
  readonly pollMs?: number | undefined;
}

/** The claim came to another end than being paid. A new one can be initiated. */
export class ClaimEndedError extends CurvekitError {
  constructor(
    readonly signature: string,
    readonly status: 'FAILED' | 'EXPIRED',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ClaimEndedError';
  }
}

/** The service refuses to say how a claim stands that was signed. It may be paid: ask `status` with its signature. */
export class ClaimUnknownError extends CurvekitError {
  constructor(
    readonly signature: string,
    override readonly cause: ApiError,
  ) {
    super(`how the claim ${signature} stands is unknown: ${cause.message}`, { cause });
    this.name = 'ClaimUnknownError';
  }
}

export interface RewardsClientOptions extends TransportOptions {
  /**
   * What the wallet signs: `bound`, the default, fits one request only; `timestamp` is shorter to read for a person, and
   * whoever sees such a signature can read the wallet's rewards for five minutes.
   */
  readonly scheme?: 'bound' | 'timestamp' | undefined;
  /** Milliseconds of a clock that is right. */
  readonly now?: (() => number) | undefined;
}

const LARGEST_PAGE = 1_000;
/** A million tokens: more than a wallet has, and an end to pages that a hostile service makes up. */
const MOST_PAGES = 1_000;
const DEFAULT_POLL_MS = 1_000;
const LONGEST_POLL_MS = 10_000;
const POLL_GROWTH = 1.5;

export class RewardsClient {
  readonly #transport: Transport;
  readonly #scheme: 'bound' | 'timestamp';
  readonly #now: () => number;
  #lastTimestamp = 0;

  /** @throws InvalidArgumentError for a base URL that is none */
  constructor({ scheme = 'bound', now = Date.now, ...options }: RewardsClientOptions) {
    this.#transport = new Transport(options, readError);
    this.#scheme = scheme;
    this.#now = now;
  }

  /** All rewards of a wallet, ordered by token address, page after page. @throws as `rewardPages` */
  async rewards(wallet: RewardsWallet): Promise<RewardEntry[]> {
    const all: RewardEntry[] = [];
    for await (const page of this.rewardPages(wallet)) for (const entry of page) all.push(entry);
    return all;
  }

  /**
   * The same, a page at a time. Each page is a request that the wallet signs.
   *
   * @param options.limit tokens of one page, 1 to 1,000; 1,000 without it
   * @throws ApiError; ConnectionError, also when pages do not end or lead to another address; InvalidArgumentError for a
   *   limit out of range
   */
  async *rewardPages(
    wallet: RewardsWallet,
    { limit }: { readonly limit?: number | undefined } = {},
  ): AsyncGenerator<readonly RewardEntry[]> {
    if (limit !== undefined && !(Number.isInteger(limit) && limit >= 1 && limit <= LARGEST_PAGE)) {
      throw new InvalidArgumentError('limit', `must be a whole number from 1 to ${LARGEST_PAGE}`);
    }
    const path = `/rewards/${wallet.publicKey.toBase58()}`;
    let query: ApiRequest['query'] = { limit: limit?.toString() };
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const { json, headers, url } = await this.#exchange(wallet, { method: 'GET', path, query });
      const page = asArray(dataOf(json), 'data').map(readEntry);
      yield page;
      query = nextPageQuery(headers.get('link'), url);
      if (query === undefined) return;
      if (page.length === 0) throw new ConnectionError('an empty page of the answer names another one');
    }
    throw new ConnectionError(`the rewards do not end after ${MOST_PAGES} pages: is this the service?`);
  }

  /** Rewards of a wallet of one token. @throws ApiError such as `TOKEN_NOT_FOUND`, ConnectionError */
  async rewardsOf(wallet: RewardsWallet, tokenAddress: PublicKey): Promise<TokenRewards> {
    const path = `/rewards/${wallet.publicKey.toBase58()}/tokens/${tokenAddress.toBase58()}`;
    return readRewards(await this.#signed(wallet, { method: 'GET', path }));
  }

  /** How a claim stands. @throws ApiError such as `CLAIM_NOT_FOUND`, ConnectionError */
  status(signature: string, signal?: AbortSignal): Promise<ClaimStatus> {
    return this.#status(signature, { signal });
  }

  async #status(signature: string, options: Pick<ApiRequest, 'signal' | 'retries'>): Promise<ClaimStatus> {
    const path = `/rewards/${encodeURIComponent(signature)}/status`;
    const data = asObject(await this.#data({ method: 'GET', path, ...options }), 'data');
    const status = asString(data['status'], 'status');
    if (!isState(status)) throw new ConnectionError(`the claim is in an unknown state, ${status}`);
    return { status, message: asString(data['message'], 'message') };
  }

  /**
   * Reserves all unclaimed rewards of one kind. The transaction is checked: signing it costs the wallet nothing.
   *
   * @throws ApiError such as `CLAIM_ERROR` and `CLAIM_IN_PROGRESS`; ConnectionError; UntrustedTransactionError
   */
  async initiate(
    wallet: RewardsWallet,
    { tokenAddress, claimType, burnToken = false, idempotencyKey }: ClaimRequest,
    signal?: AbortSignal,
  ): Promise<InitiatedClaim> {
    const key = idempotencyKey ?? crypto.randomUUID();
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw new InvalidArgumentError('idempotencyKey', 'must be 1 to 255 visible ASCII characters');
    }
    const data = await this.#signed(wallet, {
      method: 'POST',
      path: `/rewards/${wallet.publicKey.toBase58()}/initiate`,
      body: { tokenAddress: tokenAddress.toBase58(), claimType, burnToken },
      headers: () => Promise.resolve({ 'Idempotency-Key': key }),
      // The key makes a second request harmless.
      repeatable: true,
      signal,
    });
    const transaction = readTransaction(asString(asObject(data, 'data')['tx'], 'tx'));
    requireClaim(transaction, {
      wallet: wallet.publicKey,
      mint: tokenAddress,
      claimType,
      burn: burnToken,
    });
    return { signature: bs58.encode(transaction.signatures[0]!), transaction };
  }

  /**
   * Claims all unclaimed rewards of one kind: initiates, signs, submits, and follows the claim until it is paid for good.
   * Once it is signed, a service that cannot be reached or limits requests is asked again for as long as that takes: give a
   * signal to stop.
   *
   * @returns the signature of the claim's transaction
   * @throws ClaimEndedError when it failed or expired; ClaimUnknownError; the signal's reason; else as `initiate`, or
   *   whatever the wallet throws
   */
  async claim(
    wallet: ClaimingWallet,
    request: ClaimRequest,
    { connection, onProgress, signal, pollMs = DEFAULT_POLL_MS }: ClaimOptions,
  ): Promise<string> {
    const { signature, transaction } = await this.initiate(wallet, request, signal);
    onProgress?.({ stage: 'initiated', signature });
    const signed = (await wallet.signTransaction(transaction)).serialize();
    onProgress?.({ stage: 'signed', signature });

    let submitted = false;
    let problem: unknown;
    let last: ClaimState | undefined;
    let lookAt = 0;
    const pauses = new Backoff({ firstMs: pollMs, longestMs: LONGEST_POLL_MS, factor: POLL_GROWTH });
    for (;;) {
      // Again and again until it has landed: nodes drop transactions, and the same one never lands twice.
      try {
        await connection.sendRawTransaction(signed, { skipPreflight: submitted, maxRetries: 0 });
        if (!submitted) onProgress?.({ stage: 'submitted', signature });
        submitted = true;
      } catch (error) {
        // Whether that means that it has landed already, the status says.
        problem = error;
      }
      await sleep(pauses.next(), signal);
      if (performance.now() < lookAt) continue;
      let standing: ClaimStatus;
      try {
        // Tried again by this loop, which submits meanwhile.
        standing = await this.#status(signature, { signal, retries: 0 });
      } catch (error) {
        const unknown = requirePassing(error, signature);
        if (isApiError(unknown)) lookAt = performance.now() + (unknown.retryAfterMs ?? 0);
        onProgress?.({ stage: 'unknown', signature, problem: unknown });
        continue;
      }
      const { status, message } = standing;
      if (status !== last) onProgress?.({ stage: 'status', signature, status });
      last = status;
      if (status === 'COMPLETED') return signature;
      if (status !== 'IN_PROGRESS') {
        throw new ClaimEndedError(signature, status, message, submitted ? undefined : { cause: problem });
      }
    }
  }

  async #signed(wallet: RewardsWallet, request: ApiRequest): Promise<JsonValue | undefined> {
    return dataOf((await this.#exchange(wallet, request)).json);
  }

  #exchange(wallet: RewardsWallet, request: ApiRequest): Promise<ApiResponse> {
    const headers = async (body: string) => ({
      ...(await request.headers?.(body)),
      ...(await this.#proof(wallet, request, body)),
    });
    return this.#transport.exchange({ ...request, headers });
  }

  async #data(request: ApiRequest): Promise<JsonValue | undefined> {
    return dataOf(await this.#transport.request(request));
  }

  async #proof(
    wallet: RewardsWallet,
    { method, path }: ApiRequest,
    body: string,
  ): Promise<Record<string, string>> {
    const timestamp = String(this.#timestamp());
    const message =
      this.#scheme === 'timestamp' ? timestamp : `${timestamp}\n${method}\n${path}\n${await sha256Hex(body)}`;
    const signature = await wallet.signMessage(new TextEncoder().encode(message));
    return {
      'X-Timestamp': timestamp,
      'X-Signature': bs58.encode(signature),
      ...(this.#scheme === 'bound' ? { 'X-Signature-Scheme': 'bound' } : {}),
    };
  }

  /** Never the same twice, for a signature may work once only. */
  #timestamp(): number {
    this.#lastTimestamp = Math.max(this.#now(), this.#lastTimestamp + 1);
    return this.#lastTimestamp;
  }
}

/**
 * What keeps the service from saying how a claim stands, if that can pass.
 *
 * @throws ClaimUnknownError when the API refuses to say; any other error as it is
 */
function requirePassing(error: unknown, signature: string): ApiError | ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (!isApiError(error)) throw error;
  // What refuses without a code is not the API, but something before it.
  if (error.status === 429 || error.status >= 500 || error.code === 'UNKNOWN') return error;
  throw new ClaimUnknownError(signature, error);
}

function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}

async function sha256Hex(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(hash).toString('hex');
}

function readError(body: JsonValue | undefined): ErrorBody | undefined {
  if (typeof body !== 'object' || body === null || !('code' in body)) return undefined;
  const { code, message, errors } = body as Record<string, JsonValue | undefined>;
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  const fields: FieldProblem[] = (Array.isArray(errors) ? (errors as readonly JsonValue[]) : []).map(
    (entry) => {
      const problem = asObject(entry, 'an entry of errors');
      return { field: asString(problem['field'], 'field'), message: asString(problem['message'], 'message') };
    },
  );
  const details = fields.map(({ field, message: words }) => `${field} ${words}`);
  return { code, message: [message, ...details].join('; '), fields };
}

function dataOf(json: JsonValue): JsonValue | undefined {
  return asObject(json, 'the whole')['data'];
}

function readEntry(entry: JsonValue): RewardEntry {
  return {
    ...readRewards(entry),
    tokenInfo: readTokenInfo(asObject(entry, 'entry')['tokenInfo']),
  };
}

function readRewards(value: JsonValue | undefined): TokenRewards {
  const entry = asObject(value, 'data');
  return {
    unclaimedRewards: readAmounts(entry['unclaimedRewards']),
    allTimeRewards: readAmounts(entry['allTimeRewards']),
  };
}

function readAmounts(value: JsonValue | undefined): Amounts {
  const amounts = asObject(value, 'an amounts object');
  return {
    sol: asAmount(amounts['sol'], 'sol'),
    solUi: asString(amounts['solUi'], 'solUi'),
    token: asAmount(amounts['token'], 'token'),
    tokenUi: asString(amounts['tokenUi'], 'tokenUi'),
  };
}

function readTokenInfo(value: JsonValue | undefined): TokenInfo {
  const info = asObject(value, 'tokenInfo');
  return {
    address: asString(info['address'], 'address'),
    symbol: asString(info['symbol'], 'symbol'),
    name: asString(info['name'], 'name'),
    image: asString(info['image'], 'image'),
    price: asNumber(info['price'], 'price'),
  };
}

function readTransaction(tx: string): VersionedTransaction {
  try {
    return VersionedTransaction.deserialize(Buffer.from(tx, 'base64'));
  } catch (cause) {
    throw new ConnectionError('tx of the answer is no transaction', { cause });
  }
}

const STATES: readonly string[] = ['IN_PROGRESS', 'COMPLETED', 'FAILED', 'EXPIRED'] satisfies ClaimState[];

function isState(status: string): status is ClaimState {
  return STATES.includes(status);
}

/** Whether an error is this API's refusal with that code. */
export function isRefusal(error: unknown, code: RewardsErrorCode): error is ApiError<RewardsErrorCode> {
  return error instanceof ApiError && error.code === code;
}
