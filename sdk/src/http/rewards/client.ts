// The client of the Rewards Claiming API.
import { VersionedTransaction, type PublicKey } from '@solana/web3.js';
import { Buffer } from 'buffer';
import { encodeBase58 } from '../../base58.js';
import { InvalidArgumentError } from '../../errors.js';
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
import { requireU64 } from '../../numbers.js';
import { ChangedTransactionError } from '../../trade/errors.js';
import { requireClaim } from '../claim-check.js';
import { readEnvelopeError } from '../envelope-error.js';
import { ConnectionError } from '../errors.js';
import { nextPageQuery } from '../next-page.js';
import { tokenKey } from './token-address.js';
import { Transport, type ApiRequest, type ApiResponse, type TransportOptions } from '../transport.js';
import { followClaim, type ClaimOptions, type SignedClaim } from './claim.js';
import { networkFeeOf, UnderpaidClaimError } from './underpaid.js';
import { RequestSigner, type ClaimingWallet, type RewardsWallet, type SignatureScheme } from './wallet.js';

/** A wallet's rewards of one token. */
export type TokenRewards = GetTokenRewardsAnswer['data'];

/** What to claim. */
export interface ClaimRequest {
  /** The token's mint: a key, or the text in `tokenInfo.address`. */
  readonly tokenAddress: PublicKey | string;
  readonly claimType: 'SOL' | 'TOKEN';
  /** Burns the claimed tokens instead of keeping them. Not for SOL. */
  readonly burnToken?: boolean | undefined;
  /**
   * What the API said is unclaimed of this kind, in lamports or token units: `sol` or `token` of `unclaimedRewards`. The claim is
   * refused that gives less, unless the API says that the rest is still unclaimed. Without it the client asks the API first, which
   * is one more request for the wallet to sign.
   */
  readonly unclaimed?: bigint | undefined;
  /** The same key and request get the same answer for 24 hours. A random one by default. */
  readonly idempotencyKey?: string | undefined;
}

/** A claim whose transaction the treasury has signed, and the wallet not yet. */
export interface InitiatedClaim {
  /** Names the claim: ask `status` with it. */
  readonly signature: string;
  readonly transaction: VersionedTransaction;
  /**
   * What the transaction gives the wallet: lamports, after the network fee, or token units, to keep or to burn. Less than was unclaimed
   * where a part waits for finality.
   */
  readonly amount: bigint;
}

/** A claim that is paid. */
export type PaidClaim = Pick<InitiatedClaim, 'signature' | 'amount'>;

/** Options of {@link RewardsClient}. */
export interface RewardsClientOptions extends TransportOptions {
  readonly scheme?: SignatureScheme | undefined;
  /** Milliseconds of a clock that is right. */
  readonly now?: (() => number) | undefined;
}

/** What errors call an answer. */
const ANSWER = 'the answer';
const LARGEST_PAGE = 1_000;
/** A million tokens: more than a wallet has, and an end to pages that a hostile service makes up. */
const MOST_PAGES = 1_000;

/** Client of the Rewards Claiming API. A wallet proves each request about itself by its signature. */
export class RewardsClient {
  readonly #transport: Transport;
  readonly #signer: RequestSigner;

  /** @throws InvalidArgumentError for a base that is not an http(s) URL */
  constructor({ scheme = 'bound', now = Date.now, ...options }: RewardsClientOptions) {
    this.#transport = new Transport(options, readEnvelopeError);
    this.#signer = new RequestSigner(scheme, now);
  }

  /** All rewards of a wallet, ordered by token address, page after page. @throws as `rewardPages` */
  async rewards(wallet: RewardsWallet): Promise<RewardEntry[]> {
    const all: RewardEntry[] = [];
    for await (const page of this.rewardPages(wallet)) for (const entry of page) all.push(entry);
    return all;
  }

  /**
   * The same, a page at a time. Each page is a request that the wallet signs. `limit` is the number of tokens of one page, 1 to
   * 1,000; 1,000 without it.
   *
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
      const page = readGetRewardsAnswer(json, ANSWER).data;
      yield page;
      query = nextPageQuery(headers.get('link'), url);
      if (query === undefined) return;
      if (page.length === 0) throw new ConnectionError('an empty page of the answer names another one');
    }
    throw new ConnectionError(`the rewards do not end after ${MOST_PAGES} pages: is this the service?`);
  }

  /**
   * Rewards of a wallet of one token. `unclaimedRewards` holds what waits for finality beside what can be claimed now: the API does not
   * tell them apart, `amount` of an initiated claim does.
   *
   * @throws ApiError such as `TOKEN_NOT_FOUND`, ConnectionError
   */
  rewardsOf(wallet: RewardsWallet, tokenAddress: PublicKey | string): Promise<TokenRewards> {
    return this.#rewardsOf(wallet, tokenAddress, undefined);
  }

  async #rewardsOf(
    wallet: RewardsWallet,
    tokenAddress: PublicKey | string,
    signal: AbortSignal | undefined,
  ): Promise<TokenRewards> {
    const path = `/rewards/${wallet.publicKey.toBase58()}/tokens/${tokenKey(tokenAddress).toBase58()}`;
    const { json } = await this.#exchange(wallet, { method: 'GET', path, signal });
    return readGetTokenRewardsAnswer(json, ANSWER).data;
  }

  /** How a claim stands. @throws ApiError such as `CLAIM_NOT_FOUND`, ConnectionError */
  status(signature: string, signal?: AbortSignal): Promise<ClaimStatus> {
    return this.#status(signature, { signal });
  }

  async #status(signature: string, options: Pick<ApiRequest, 'signal' | 'retries'>): Promise<ClaimStatus> {
    const path = `/rewards/${encodeURIComponent(signature)}/status`;
    const json = await this.#transport.request({ method: 'GET', path, ...options });
    return readGetClaimStatusAnswer(json, ANSWER).data;
  }

  /**
   * Reserves all rewards of one kind that can be claimed now. The transaction is checked: signing it costs the wallet nothing, and it
   * gives what the API said.
   *
   * @throws ApiError such as `CLAIM_ERROR` and `CLAIM_IN_PROGRESS`; ConnectionError; UntrustedTransactionError;
   *   UnderpaidClaimError; InvalidArgumentError
   */
  async initiate(
    wallet: RewardsWallet,
    request: ClaimRequest,
    signal?: AbortSignal,
  ): Promise<InitiatedClaim> {
    const { claimType, burnToken = false, idempotencyKey } = request;
    const mint = tokenKey(request.tokenAddress);
    const key = idempotencyKey ?? crypto.randomUUID();
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw new InvalidArgumentError('idempotencyKey', 'must be 1 to 255 visible ASCII characters');
    }
    const unclaimed =
      request.unclaimed === undefined
        ? await this.#unclaimed(wallet, request, signal)
        : requireU64('unclaimed', request.unclaimed);
    const body: wire.ClaimRequest = { tokenAddress: mint.toBase58(), claimType, burnToken };
    const { json } = await this.#exchange(wallet, {
      method: 'POST',
      path: `/rewards/${wallet.publicKey.toBase58()}/initiate`,
      body,
      headers: () => Promise.resolve({ 'Idempotency-Key': key }),
      // The key makes a second request harmless.
      repeatable: true,
      signal,
    });
    const transaction = readTransaction(readInitiateClaimAnswer(json, ANSWER).data.tx);
    const amount = requireClaim(transaction, {
      wallet: wallet.publicKey,
      mint,
      claimType,
      burn: burnToken,
    });
    const taken = claimType === 'SOL' ? amount + networkFeeOf(transaction.message) : amount;
    if (taken < unclaimed) {
      // Rewards that wait for finality are unclaimed, and no claim can take them yet.
      const remaining = await this.#unclaimed(wallet, request, signal);
      const unit = claimType === 'SOL' ? 'lamports' : 'token units';
      if (taken + remaining < unclaimed) throw new UnderpaidClaimError(amount, unclaimed, remaining, unit);
    }
    return { signature: encodeBase58(transaction.signatures[0]!), transaction, amount };
  }

  async #unclaimed(
    wallet: RewardsWallet,
    { tokenAddress, claimType }: ClaimRequest,
    signal: AbortSignal | undefined,
  ): Promise<bigint> {
    const { unclaimedRewards } = await this.#rewardsOf(wallet, tokenAddress, signal);
    return claimType === 'SOL' ? unclaimedRewards.sol : unclaimedRewards.token;
  }

  /**
   * Claims all unclaimed rewards of one kind: initiates, signs, submits, and follows the claim until it is finalized.
   * Once it is signed, a service that cannot be reached or limits requests is asked again for as long as that takes: give a
   * signal to stop.
   *
   * @returns the signature of the claim's transaction, and what it gave the wallet
   * @throws ClaimEndedError when it failed or expired; ClaimUnknownError; the signal's reason; ChangedTransactionError; else as
   *   `initiate`, or the wallet's error
   */
  async claim(wallet: ClaimingWallet, request: ClaimRequest, options: ClaimOptions): Promise<PaidClaim> {
    const { onProgress, signal } = options;
    const { signature, amount, transaction: unsigned } = await this.initiate(wallet, request, signal);
    onProgress?.({ stage: 'initiated', signature, amount });
    const claim = { signature, transaction: await signedBy(wallet, unsigned) };
    onProgress?.({ stage: 'signed', ...claim });
    await this.follow(claim, options);
    return { signature, amount };
  }

  /**
   * Goes on with a claim that was signed before: submits it, again if need be, and follows it until it is finalized. The same
   * transaction never pays twice.
   *
   * @throws ClaimEndedError when it failed or expired; ClaimUnknownError; the signal's reason
   */
  async follow(claim: SignedClaim, options: ClaimOptions): Promise<void> {
    // Asked without retries: following asks again, and submits meanwhile.
    const ask = () => this.#status(claim.signature, { signal: options.signal, retries: 0 });
    await followClaim(claim, ask, options);
  }

  #exchange(wallet: RewardsWallet, request: ApiRequest): Promise<ApiResponse> {
    const headers = async (body: string) => ({
      ...(await request.headers?.(body)),
      ...(await this.#signer.headers(wallet, request, body)),
    });
    return this.#transport.exchange({ ...request, headers });
  }
}

/** @throws ChangedTransactionError when it is not what the treasury has signed */
async function signedBy(wallet: ClaimingWallet, unsigned: VersionedTransaction): Promise<Uint8Array> {
  const asked = encodeBase58(unsigned.message.serialize());
  const signed = await wallet.signTransaction(unsigned);
  if (encodeBase58(signed.message.serialize()) === asked) return signed.serialize();
  throw new ChangedTransactionError('the treasury has signed another one');
}

function readTransaction(tx: string): VersionedTransaction {
  try {
    return VersionedTransaction.deserialize(Buffer.from(tx, 'base64'));
  } catch (cause) {
    throw new ConnectionError('tx of the answer is not a transaction', { cause });
  }
}
