// The client of the Rewards Claiming API with Kit's signers and addresses.
import type {
  Address,
  GetBlockHeightApi,
  Rpc,
  SendTransactionApi,
  Signature,
  Transaction,
} from '@solana/kit';
import { requireKnown } from '../../checks/options.js';
import type { ClaimStatus, RewardEntry } from '../../generated/api/rewards.js';
import {
  CLAIM_OPTIONS,
  type ClaimOptions as CoreOptions,
  type ClaimProgress,
  type SignedClaim,
} from '../../http/rewards/claim.js';
import {
  RewardsClient as CoreClient,
  type RewardsClientOptions,
  type TokenRewards,
} from '../../http/rewards/client.js';
import { requireRpc } from '../rpc/reader.js';
import { connectionOf } from '../trade/connection.js';
import { kitTransaction } from '../trade/wallet.js';
import { claimingWallet, messageWallet, type ClaimingSigner, type MessageSigner } from './signers.js';

/** The rewards to claim. */
export interface ClaimRequest {
  /** The token's mint. */
  readonly tokenAddress: Address | string;
  readonly claimType: 'SOL' | 'TOKEN';
  /** Burns the claimed tokens instead of keeping them. Not allowed for SOL. */
  readonly burnToken?: boolean | undefined;
  /**
   * The unclaimed amount of this kind that the API reported, in lamports or token units. The client refuses a claim that
   * gives less, unless the API reports the rest as still unclaimed. Without this option the client first asks the API, so
   * the wallet must sign one more request.
   */
  readonly unclaimed?: bigint | undefined;
  /** The same key and request get the same answer for 24 hours. Default: a random key. */
  readonly idempotencyKey?: string | undefined;
}

/** A claim that the treasury has signed and the wallet has not signed yet. */
export interface InitiatedClaim {
  /** Identifies the claim: pass it to `status`. */
  readonly signature: Signature;
  readonly transaction: Transaction;
  /** What the wallet receives: lamports after the network fee, or token units, to keep or to burn. */
  readonly amount: bigint;
}

/** A claim that is paid. */
export type PaidClaim = Pick<InitiatedClaim, 'signature' | 'amount'>;

/** An RPC client that submits claims, for example `createSolanaRpc(url)`. */
export type ClaimRpc = Rpc<GetBlockHeightApi & SendTransactionApi>;

/** Options for submitting and following a claim. */
export interface ClaimOptions {
  /** Submits the transaction. */
  readonly rpc: ClaimRpc;
  /** Called for each step. */
  readonly onProgress?: ((progress: ClaimProgress) => void) | undefined;
  /** Stops following. A submitted claim continues without the client. */
  readonly signal?: AbortSignal | undefined;
  /** First pause between two status requests, default 1,000 ms. Later pauses are longer. */
  readonly pollMs?: number | undefined;
}

/** Client of the Rewards Claiming API. A wallet authenticates each request about itself with a signature. */
export class RewardsClient {
  readonly #core: CoreClient;

  /** @throws InvalidArgumentError for a base that is not an http(s) URL */
  constructor(options: RewardsClientOptions) {
    this.#core = new CoreClient(options);
  }

  /** All rewards of a wallet, ordered by token address. Reads page by page. @throws as `rewardPages` */
  async rewards(wallet: MessageSigner): Promise<RewardEntry[]> {
    return this.#core.rewards(messageWallet('wallet', wallet));
  }

  /**
   * All rewards of a wallet, one page at a time. The wallet signs a request for each page. `limit` is the number of
   * tokens per page, 1 to 1,000; default 1,000.
   *
   * @throws ApiError; ConnectionError; MessageNotSignedError; InvalidArgumentError for a limit out of range
   */
  async *rewardPages(
    wallet: MessageSigner,
    options: { readonly limit?: number | undefined } = {},
  ): AsyncGenerator<readonly RewardEntry[]> {
    yield* this.#core.rewardPages(messageWallet('wallet', wallet), options);
  }

  /**
   * A wallet's rewards for one token, those that are not finalized yet included.
   *
   * @throws ApiError such as `TOKEN_NOT_FOUND`, ConnectionError, MessageNotSignedError
   */
  async rewardsOf(wallet: MessageSigner, tokenAddress: Address | string): Promise<TokenRewards> {
    return this.#core.rewardsOf(messageWallet('wallet', wallet), tokenAddress);
  }

  /** The status of a claim. @throws ApiError such as `CLAIM_NOT_FOUND`, ConnectionError */
  status(signature: Signature | string, signal?: AbortSignal): Promise<ClaimStatus> {
    return this.#core.status(signature, signal);
  }

  /**
   * Reserves all rewards of one kind that can be claimed now. The client checks that signing the transaction costs the
   * wallet nothing, and that the wallet receives the amount that the API reported.
   *
   * @throws ApiError such as `CLAIM_ERROR` and `CLAIM_IN_PROGRESS`; ConnectionError; UntrustedTransactionError;
   *   UnderpaidClaimError; MessageNotSignedError; InvalidArgumentError
   */
  async initiate(
    wallet: MessageSigner,
    request: ClaimRequest,
    signal?: AbortSignal,
  ): Promise<InitiatedClaim> {
    const claim = await this.#core.initiate(messageWallet('wallet', wallet), request, signal);
    const { signature, transaction, amount } = claim;
    return { signature: signature as Signature, transaction: kitTransaction(transaction), amount };
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
  async claim(wallet: ClaimingSigner, request: ClaimRequest, options: ClaimOptions): Promise<PaidClaim> {
    const core = coreOptions(options);
    const paid = await this.#core.claim(claimingWallet('wallet', wallet), request, core);
    return { signature: paid.signature as Signature, amount: paid.amount };
  }

  /**
   * Continues a signed claim: submits it, repeatedly if needed, and follows it until it is finalized. The same
   * transaction never pays twice.
   *
   * @throws ClaimEndedError when it failed or expired; ClaimUnknownError; the signal's reason
   */
  async follow(claim: SignedClaim, options: ClaimOptions): Promise<void> {
    await this.#core.follow(claim, coreOptions(options));
  }
}

const { connection: _, ...SHARED_OPTIONS } = CLAIM_OPTIONS;

function coreOptions(options: ClaimOptions): CoreOptions {
  requireKnown('options', options, SHARED_OPTIONS, { rpc: true });
  const { rpc, ...rest } = options;
  requireRpc(rpc);
  return { ...rest, connection: connectionOf(rpc) };
}
