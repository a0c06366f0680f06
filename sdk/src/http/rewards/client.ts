// The client of the Rewards Claiming API.
import { requireAddress, type AddressLike } from '../../checks/address.js';
import { requireInteger, requireU64 } from '../../checks/numbers.js';
import { requireKnown, requireObject } from '../../checks/options.js';
import { encodeBase58 } from '../../encoding/base58.js';
import { decodeBase64, encodeBase64 } from '../../encoding/base64.js';
import { InvalidArgumentError } from '../../errors/index.js';
import {
  readGetClaimStatusAnswer,
  readGetRewardsAnswer,
  readGetTokenRewardsAnswer,
  readInitiateClaimAnswer,
  type ClaimStatus,
  type GetTokenRewardsAnswer,
  type RewardEntry,
} from '../../generated/api/rewards.js';
import type * as wire from '../../generated/api/rewards.js';
import { uniqueId } from '../../platform/crypto.js';
import { ChangedTransactionError } from '../../transactions/changed-transaction.js';
import { requireClaim, UntrustedTransactionError } from '../claim-check.js';
import { readEnvelopeError } from '../envelope-error.js';
import { ConnectionError } from '../errors.js';
import { parseJson } from '../json.js';
import { nextPageQuery } from '../next-page.js';
import { ServerClock } from '../server-clock.js';
import { Transport, type ApiRequest, type ApiResponse, type TransportOptions } from '../transport.js';
import { requireWallet, type ClaimingWallet, type MessageWallet } from '../wallets.js';
import { readTransaction, type WireTransaction } from '../wire-transaction.js';
import { CLAIM_REQUEST, type ClaimRequest, type InitiatedClaim, type PaidClaim } from './claim-request.js';
import {
  CLAIM_OPTIONS,
  followClaim,
  submitterOf,
  telling,
  type ClaimOptions,
  type SignedClaim,
} from './claim.js';
import { networkFeeOf, UnderpaidClaimError } from './underpaid.js';
import { RequestSigner, type SignatureScheme } from './request-signer.js';

/** A wallet's rewards for one token. */
export type TokenRewards = GetTokenRewardsAnswer['data'];

/** Options of {@link RewardsClient}. */
export interface RewardsClientOptions extends TransportOptions {
  readonly scheme?: SignatureScheme | undefined;
  /**
   * The current time in milliseconds. A clock that differs from the service's by more than ten seconds is corrected by the
   * service's answers.
   */
  readonly now?: (() => number) | undefined;
}

/** The name of an answer in error messages. */
const ANSWER = 'the answer';
const LARGEST_PAGE = 1_000;
/** A million tokens, more than a wallet has. The limit stops a hostile service that sends endless pages. */
const MOST_PAGES = 1_000;

/** Client of the Rewards Claiming API. A wallet authenticates each request about itself with a signature. */
export class RewardsClient {
  readonly #transport: Transport;
  readonly #signer: RequestSigner;
  readonly #clock: ServerClock;

  /** @throws InvalidArgumentError for a base that is not an http(s) URL */
  constructor(given: RewardsClientOptions) {
    requireObject('options', given);
    const { scheme = 'bound', now = Date.now, ...options } = given;
    this.#clock = new ServerClock(now);
    this.#transport = new Transport(options, readEnvelopeError, parseJson, this.#clock);
    this.#signer = new RequestSigner(scheme, () => this.#clock.now());
  }

  /** All rewards of a wallet, ordered by token address. Reads page by page. @throws as `rewardPages` */
  async rewards(wallet: MessageWallet): Promise<RewardEntry[]> {
    const all: RewardEntry[] = [];
    for await (const page of this.rewardPages(wallet)) for (const entry of page) all.push(entry);
    return all;
  }

  /**
   * All rewards of a wallet, one page at a time. The wallet signs a request for each page. `limit` is the number of
   * tokens per page, 1 to 1,000; default 1,000.
   *
   * @throws ApiError; ConnectionError, also when pages do not end or lead to another address; InvalidArgumentError for
   *   a limit out of range
   */
  async *rewardPages(
    wallet: MessageWallet,
    options: { readonly limit?: number | undefined } = {},
  ): AsyncGenerator<readonly RewardEntry[]> {
    requireKnown('options', options, { limit: true });
    requireWallet('wallet', wallet, 'signMessage');
    const { limit } = options;
    if (limit !== undefined) requireInteger('limit', limit, LARGEST_PAGE, 1);
    const path = `/rewards/${wallet.address}`;
    let query: ApiRequest['query'] = { limit: limit?.toString() };
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const { json, headers, url } = await this.#exchange(wallet, { method: 'GET', path, query });
      const page = readGetRewardsAnswer(json, ANSWER).data;
      yield page;
      query = nextPageQuery(headers.get('link'), url);
      if (query === undefined) return;
      if (page.length === 0) throw new ConnectionError('an empty page of the answer names another one');
    }
    throw new ConnectionError(`the rewards do not end after ${MOST_PAGES} pages: is this the service?`);
  }

  /**
   * A wallet's rewards for one token. `unclaimedRewards` contains both the rewards that can be claimed now and those
   * that are not finalized yet. The API does not separate them, but `amount` of an initiated claim shows the claimable
   * part.
   *
   * @throws ApiError such as `TOKEN_NOT_FOUND`, ConnectionError
   */
  async rewardsOf(wallet: MessageWallet, tokenAddress: AddressLike): Promise<TokenRewards> {
    requireWallet('wallet', wallet, 'signMessage');
    return this.#rewardsOf(wallet, tokenAddress, undefined);
  }

  async #rewardsOf(
    wallet: MessageWallet,
    tokenAddress: AddressLike,
    signal: AbortSignal | undefined,
  ): Promise<TokenRewards> {
    const path = `/rewards/${wallet.address}/tokens/${requireAddress('tokenAddress', tokenAddress)}`;
    const { json } = await this.#exchange(wallet, { method: 'GET', path, signal });
    return readGetTokenRewardsAnswer(json, ANSWER).data;
  }

  /** The status of a claim. @throws ApiError such as `CLAIM_NOT_FOUND`, ConnectionError */
  status(signature: string, signal?: AbortSignal): Promise<ClaimStatus> {
    return this.#status(signature, { signal });
  }

  async #status(signature: string, options: Pick<ApiRequest, 'signal' | 'retries'>): Promise<ClaimStatus> {
    const path = `/rewards/${encodeURIComponent(signature)}/status`;
    const json = await this.#transport.request({ method: 'GET', path, ...options });
    return readGetClaimStatusAnswer(json, ANSWER).data;
  }

  /**
   * Reserves all rewards of one kind that can be claimed now. The client checks that signing the transaction costs the
   * wallet nothing, and that the wallet receives the amount that the API reported.
   *
   * @throws ApiError such as `CLAIM_ERROR` and `CLAIM_IN_PROGRESS`; ConnectionError; UntrustedTransactionError;
   *   UnderpaidClaimError; InvalidArgumentError
   */
  async initiate(
    wallet: MessageWallet,
    request: ClaimRequest,
    signal?: AbortSignal,
  ): Promise<InitiatedClaim> {
    requireWallet('wallet', wallet, 'signMessage');
    requireKnown('request', request, CLAIM_REQUEST);
    const { claimType, burnToken = false, idempotencyKey } = request;
    const mint = requireAddress('tokenAddress', request.tokenAddress);
    const key = idempotencyKey ?? uniqueId();
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw new InvalidArgumentError('idempotencyKey', 'must be 1 to 255 visible ASCII characters');
    }
    const unclaimed =
      request.unclaimed === undefined
        ? await this.#unclaimed(wallet, request, signal)
        : requireU64('unclaimed', request.unclaimed);
    const body: wire.ClaimRequest = { tokenAddress: mint, claimType, burnToken };
    const { json } = await this.#exchange(wallet, {
      method: 'POST',
      path: `/rewards/${wallet.address}/initiate`,
      body,
      // It makes a retry harmless.
      headers: () => Promise.resolve({ 'Idempotency-Key': key }),
      signal,
    });
    const { tx } = readInitiateClaimAnswer(json, ANSWER).data;
    const { transaction, signature, amount, message } = asTransaction(() => {
      const bytes = decodeBase64(tx);
      const { signatures, message: signed } = readTransaction(bytes);
      const expected = { wallet: wallet.address, mint, claimType, burn: burnToken };
      const claim = requireClaim(signed, expected);
      if (signatures.length !== claim.message.requiredSignatures)
        throw new RangeError('it has too few signatures, or too many');
      return { transaction: bytes, signature: encodeBase58(signatures[0]!), ...claim };
    });
    const taken = claimType === 'SOL' ? amount + networkFeeOf(message) : amount;
    if (taken < unclaimed) {
      // Rewards that are not finalized yet count as unclaimed, but no claim can take them.
      const remaining = await this.#unclaimed(wallet, request, signal);
      const unit = claimType === 'SOL' ? 'lamports' : 'token units';
      if (taken + remaining < unclaimed) throw new UnderpaidClaimError(amount, unclaimed, remaining, unit);
    }
    return { signature, transaction, amount };
  }

  async #unclaimed(
    wallet: MessageWallet,
    { tokenAddress, claimType }: ClaimRequest,
    signal: AbortSignal | undefined,
  ): Promise<bigint> {
    const { unclaimedRewards } = await this.#rewardsOf(wallet, tokenAddress, signal);
    return claimType === 'SOL' ? unclaimedRewards.sol : unclaimedRewards.token;
  }

  /**
   * Claims all unclaimed rewards of one kind: initiates, signs, submits, and follows the claim until it is finalized.
   * After the wallet has signed, the client retries without end when the service is unreachable or limits requests.
   * Pass a signal to stop it.
   *
   * @returns the signature of the claim's transaction, and the amount that the wallet received
   * @throws ClaimEndedError when it failed or expired; ClaimUnknownError; the signal's reason; ChangedTransactionError;
   *   else as `initiate`, or the wallet's error
   */
  async claim(wallet: ClaimingWallet, request: ClaimRequest, options: ClaimOptions): Promise<PaidClaim> {
    requireKnown('options', options, CLAIM_OPTIONS);
    requireWallet('wallet', wallet, 'signMessage', 'signTransaction');
    submitterOf(options);
    const { signal } = options;
    const onProgress = telling(options.onProgress);
    const { signature, amount, transaction: unsigned } = await this.initiate(wallet, request, signal);
    onProgress({ stage: 'initiated', signature, amount });
    const claim = { signature, transaction: await signedBy(wallet, unsigned) };
    onProgress({ stage: 'signed', ...claim });
    await this.follow(claim, options);
    return { signature, amount };
  }

  /**
   * Continues a signed claim: submits it, repeatedly if needed, and follows it until it is finalized. The same
   * transaction never pays twice.
   *
   * @throws ClaimEndedError when it failed or expired; ClaimUnknownError; the signal's reason
   */
  async follow(claim: SignedClaim, options: ClaimOptions): Promise<void> {
    requireKnown('options', options, CLAIM_OPTIONS);
    // No retries here: `followClaim` polls again, and resubmits between two polls.
    const ask = () => this.#status(claim.signature, { signal: options.signal, retries: 0 });
    await followClaim(claim, ask, options);
  }

  #exchange(wallet: MessageWallet, request: ApiRequest): Promise<ApiResponse> {
    return this.#clock.inTime((signed) => {
      const headers = async (body: string | ArrayBuffer) => {
        const others = await request.headers?.(body);
        const own = await this.#signer.headers(wallet, request, body);
        signed(Number(own['X-Timestamp']));
        return { ...others, ...own };
      };
      return this.#transport.exchange({ ...request, headers });
    });
  }
}

/** @throws ChangedTransactionError when the wallet changed the message that the treasury signed */
async function signedBy(wallet: ClaimingWallet, unsigned: Uint8Array): Promise<Uint8Array> {
  // A copy: the wallet may write into it.
  const signed: unknown = await wallet.signTransaction(unsigned.slice());
  if (!ArrayBuffer.isView(signed)) throw new ChangedTransactionError('it returned none');
  const bytes = Uint8Array.from(signed as Uint8Array);
  let returned: WireTransaction;
  try {
    returned = readTransaction(bytes);
  } catch {
    throw new ChangedTransactionError('it cannot be read');
  }
  if (encodeBase64(returned.message) === encodeBase64(readTransaction(unsigned).message)) return bytes;
  throw new ChangedTransactionError('the treasury has signed another one');
}

/** @throws ConnectionError when the bytes of an answer are not a transaction; UntrustedTransactionError */
function asTransaction<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof UntrustedTransactionError) throw cause;
    throw new ConnectionError('tx of the answer is not a transaction', { cause });
  }
}
