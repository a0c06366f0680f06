// From a wallet's request to a claim: the whole unclaimed amount is reserved and its transaction is handed out, or neither.
import { createHash } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import { Counter } from 'prom-client';
import type { Context } from '../context.js';
import type { Asset } from '../db/ledger.js';
import type { Claim, ClaimsRepository, KeptAnswer } from '../rewards/claims-repository.js';
import { NodeUnavailableError, Treasury, UnpayableError } from './treasury.js';

/** Why there is no claim. */
export type ClaimRefusal =
  /** Nothing to claim, or nothing that can be paid. */
  | 'claim'
  /** No such token. */
  | 'token'
  /** Another claim of the wallet and token is in progress. */
  | 'in progress'
  /** The idempotency key stands for another request. */
  | 'key reused'
  /** The RPC node is away. */
  | 'unavailable';

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

export interface ClaimRequest {
  readonly wallet: string;
  readonly mint: string;
  readonly asset: Asset;
  readonly burn: boolean;
  readonly idempotencyKey: string | undefined;
}

/** How long an idempotency key stands for its answer. */
const KEY_LIFE_MS = 24 * 60 * 60_000;
/** What wallets are owed changes slowly beside the float that claims of tokens live on. */
const OWED_FRESH_MS = 10_000;
/** Credits can arrive between reading the amount and reserving it. */
const ATTEMPTS = 5;

/** An answer as it is kept: a transaction, or a refusal that would come again. */
type Answer = { readonly tx: string } | { readonly refusal: ClaimRefusal; readonly message: string };

export class Claims {
  readonly #repository: ClaimsRepository;
  readonly #treasury: Treasury | undefined;
  readonly #now: () => number;
  readonly #initiated: Counter<'asset'>;
  readonly #short: Counter;
  #owed: { readonly sol: Promise<bigint>; readonly until: number } | undefined;

  constructor({ config, connection, metrics, now }: Context, repository: ClaimsRepository) {
    this.#repository = repository;
    this.#treasury = config.treasury === undefined ? undefined : new Treasury(connection, config.treasury);
    this.#now = now;
    const registers = [metrics.registry];
    this.#initiated = new Counter({
      name: 'curvekit_claims_initiated_total',
      help: 'Claims whose transaction was handed out',
      labelNames: ['asset'],
      registers,
    });
    this.#short = new Counter({
      name: 'curvekit_claims_refused_treasury_total',
      help: 'Claims refused because the treasury could not pay them',
      registers,
    });
  }

  /**
   * Reserves all that the wallet can claim and returns the transaction that pays it, in Base64, signed by the treasury.
   *
   * @throws ClaimRefusedError; nothing is reserved then
   */
  async initiate(request: ClaimRequest): Promise<string> {
    const { wallet, idempotencyKey: key } = request;
    const requestHash = hashOf(request);
    const kept = await this.#kept(wallet, key, requestHash);
    if (kept !== undefined) return given(kept);
    try {
      return await this.#attempt(request, requestHash);
    } catch (error) {
      if (!(error instanceof ClaimRefusedError)) throw error;
      // A request with the same key may have got there first: its answer is this one's too.
      const first = await this.#kept(wallet, key, requestHash);
      if (first !== undefined) return given(first);
      const { refusal, message } = error;
      if (key !== undefined && isLasting(error)) {
        await this.#repository.keep(wallet, this.#answer(key, requestHash, { refusal, message }));
      }
      throw error;
    }
  }

  /** The claim with that transaction signature. */
  find(signature: string): Promise<Claim | undefined> {
    return this.#repository.find(signature);
  }

  async #attempt(request: ClaimRequest, requestHash: string): Promise<string> {
    const { wallet, mint, asset, burn, idempotencyKey: key } = request;
    if (asset === 'SOL' && burn) {
      throw new ClaimRefusedError('claim', 'SOL cannot be burned; leave burnToken out or set it to false');
    }
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const amount = await this.#claimable(request);
      const signed = await this.#sign(request, amount);
      const { transaction: tx } = signed;
      const notStored = await this.#repository.store(
        { ...signed, wallet, mint, asset, amount, burn },
        key === undefined ? undefined : this.#answer(key, requestHash, { tx }),
      );
      if (notStored === undefined) {
        this.#initiated.inc({ asset });
        return tx;
      }
      // Its answer is read by the caller; while it can't be, it is another's claim in progress.
      if (notStored !== 'other amount') throw inProgress();
    }
    throw new ClaimRefusedError('unavailable', 'The rewards are changing right now; try again');
  }

  async #claimable({ wallet, mint, asset }: ClaimRequest): Promise<bigint> {
    const { tokenExists, inProgress: busy, amount } = await this.#repository.claimable(wallet, mint, asset);
    if (busy) throw inProgress();
    if (amount > 0n) return amount;
    if (!tokenExists) throw new ClaimRefusedError('token', 'There is no such token');
    throw new ClaimRefusedError('claim', `The ${asset === 'SOL' ? 'SOL' : 'token'} amount to claim is zero`);
  }

  async #sign({ wallet, mint, asset, burn }: ClaimRequest, amount: bigint) {
    if (this.#treasury === undefined) {
      throw new ClaimRefusedError('unavailable', 'Claims are closed at the moment');
    }
    const order = { wallet: new PublicKey(wallet), mint: new PublicKey(mint), asset, amount, burn };
    try {
      const obligations = await this.#repository.obligations(mint);
      return await this.#treasury.sign(order, { ...obligations, owedSol: () => this.#owedSol() });
    } catch (cause) {
      if (cause instanceof NodeUnavailableError) {
        throw new ClaimRefusedError('unavailable', 'The cluster cannot be reached; try again later', {
          cause,
        });
      }
      if (!(cause instanceof UnpayableError)) throw cause;
      if (cause.fault === 'treasury') this.#short.inc();
      throw new ClaimRefusedError('claim', cause.message, { cause });
    }
  }

  #owedSol(): Promise<bigint> {
    const now = this.#now();
    if (this.#owed === undefined || now >= this.#owed.until) {
      const sol = this.#repository.owedSol();
      sol.catch(() => (this.#owed = undefined));
      this.#owed = { sol, until: now + OWED_FRESH_MS };
    }
    return this.#owed.sol;
  }

  /** @throws ClaimRefusedError when the key stands for another request */
  async #kept(wallet: string, key: string | undefined, requestHash: string): Promise<Answer | undefined> {
    if (key === undefined) return undefined;
    const kept = await this.#repository.keptAnswer(wallet, key, new Date(this.#now()));
    if (kept === undefined) return undefined;
    if (kept.requestHash !== requestHash) {
      throw new ClaimRefusedError(
        'key reused',
        'The Idempotency-Key was used with another body; take a new one',
      );
    }
    return JSON.parse(kept.body) as Answer;
  }

  #answer(
    key: string,
    requestHash: string,
    answer: Answer,
  ): KeptAnswer & { key: string; now: Date; expiresAt: Date } {
    const now = this.#now();
    return {
      key,
      requestHash,
      body: JSON.stringify(answer),
      statusCode: 'tx' in answer ? 200 : answer.refusal === 'token' ? 404 : 400,
      now: new Date(now),
      expiresAt: new Date(now + KEY_LIFE_MS),
    };
  }
}

function given(answer: Answer): string {
  if ('tx' in answer) return answer.tx;
  throw new ClaimRefusedError(answer.refusal, answer.message);
}

/** Refusals that come from the request and the rewards, rather than from the moment. */
function isLasting({ refusal, cause }: ClaimRefusedError): boolean {
  if (cause instanceof UnpayableError && cause.fault === 'treasury') return false;
  return refusal === 'claim' || refusal === 'token';
}

function inProgress(): ClaimRefusedError {
  return new ClaimRefusedError('in progress', 'A claim for this token is in progress already');
}

function hashOf({ mint, asset, burn }: ClaimRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([mint, asset, burn]))
    .digest('hex');
}
