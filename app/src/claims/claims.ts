// From a wallet's request to a claim: the whole unclaimed amount is reserved and its transaction is handed out, or neither.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PublicKey } from '@solana/web3.js';
import { Counter } from 'prom-client';
import type { Context } from '../context.js';
import type { Asset, ByOrigin } from '../ledger/accounts.js';
import type { Claim, ClaimsRepository, Duties, KeptAnswer, NotStored } from './repository.js';
import { SharedAnswers } from '../rpc/shared-answers.js';
import { NodeUnavailableError, Treasury, UnpayableError, type PayableClaim } from './treasury.js';

/** Why there is no claim. */
export type ClaimRefusal =
  /** Nothing to claim, or nothing that can be paid. */
  | 'claim'
  /** As `claim`, but for now only. */
  | 'later'
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

const DAY_MS = 24 * 60 * 60_000;
/** How long an idempotency key stands for its answer. */
const KEY_LIFE_MS = DAY_MS;
/** A claim that fails on chain costs the treasury its network fee, and a wallet can make its own fail. */
const MOST_FAILURES = 3;
/** Credits can arrive between reading the amount and reserving it. */
const ATTEMPTS = 5;
/**
 * A claim that is paid leaves the balance a moment before it leaves what is reserved. A claim that the rest would cover is
 * tried again for as long as that can last.
 */
const SHORT_FOR_MS = 3_000;
const SHORT_PAUSE_MS = 300;

/** An answer as it is kept: a transaction, or a refusal that would come again. */
type Answer = { readonly tx: string } | { readonly refusal: ClaimRefusal; readonly message: string };

export class Claims {
  readonly #repository: ClaimsRepository;
  readonly #treasury: Treasury | undefined;
  readonly #accountsPerDay: number;
  readonly #now: () => number;
  readonly #initiated: Counter<'asset'>;
  readonly #opening: Counter;
  readonly #short: Counter;
  readonly #duties = new SharedAnswers<Duties>();

  constructor({ config, connection, metrics, now }: Context, repository: ClaimsRepository) {
    this.#repository = repository;
    this.#treasury = config.treasury === undefined ? undefined : new Treasury(connection, config.treasury);
    this.#accountsPerDay = config.claimAccountsPerDay;
    this.#now = now;
    const registers = [metrics.registry];
    this.#initiated = new Counter({
      name: 'curvekit_claims_initiated_total',
      help: 'Claims whose transaction was handed out',
      labelNames: ['asset'],
      registers,
    });
    this.#opening = new Counter({
      name: 'curvekit_claims_opening_accounts_total',
      help: 'Claims whose transaction opens a token account at the expense of the treasury',
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
    const until = performance.now() + SHORT_FOR_MS;
    for (let attempt = 1; attempt <= ATTEMPTS;) {
      const { settlement, referral } = await this.#claimable(request);
      const amount = settlement + referral;
      // Before the balances are read: what is paid meanwhile is then in both.
      const duties = await this.#duties.get(mint, () => this.#repository.duties(mint));
      const { signed, balances } = await this.#sign(request, amount, duties);
      const { transaction: tx } = signed;
      const notStored = await this.#repository.store(
        { ...signed, wallet, mint, asset, amount, referral, burn },
        key === undefined ? undefined : this.#answer(key, requestHash, { tx }),
        { ...balances, owedSettlement: duties.owedSettlement },
      );
      if (notStored === undefined) {
        this.#initiated.inc({ asset });
        if (signed.opensAccount) this.#opening.inc();
        return tx;
      }
      // Its answer is read by the caller; while it can't be, it is another's claim in progress.
      if (notStored === 'in progress' || notStored === 'key taken') throw inProgress();
      if (notStored.startsWith('held: ')) {
        // `/ready` and the log say why.
        throw new ClaimRefusedError('unavailable', 'Claims are closed for now; try again in a minute');
      }
      if (isShort(notStored)) {
        // Asked afresh: what is shared can be from before the claims that are being paid.
        const { isPaying } = await this.#repository.duties(mint);
        if (!isPaying || performance.now() >= until) throw await this.#shortOf(notStored, request);
        await sleep(SHORT_PAUSE_MS);
      } else {
        attempt += 1;
      }
    }
    throw new ClaimRefusedError('unavailable', 'The rewards are changing right now; try again');
  }

  /** What the wallet can claim now, by origin; one that is not covered yet is left for the next claim. */
  async #claimable({ wallet, mint, asset }: ClaimRequest): Promise<ByOrigin> {
    const since = this.#dayAgo();
    const claimable = await this.#repository.claimable(wallet, mint, asset, since);
    const { tokenExists, inProgress: busy, amounts, referralCover, failures } = claimable;
    const { settlement, referral } = amounts;
    if (busy) throw inProgress();
    if (settlement + referral === 0n) {
      if (!tokenExists) throw new ClaimRefusedError('token', 'There is no such token');
      throw new ClaimRefusedError(
        'claim',
        `The ${asset === 'SOL' ? 'SOL' : 'token'} amount to claim is zero`,
      );
    }
    if (failures >= MOST_FAILURES) {
      const message = `${failures} claims of this wallet failed on chain in the last 24 hours; try again tomorrow`;
      throw new ClaimRefusedError('later', message);
    }
    const covered = asset === 'TOKEN' || referral <= referralCover ? referral : 0n;
    if (settlement + covered > 0n) return { settlement, referral: covered };
    this.#short.inc();
    throw new ClaimRefusedError(
      'later',
      'The fees that pay these referral rewards are not in the treasury yet; try again later',
    );
  }

  async #sign(
    { wallet, mint, asset, burn }: ClaimRequest,
    amount: bigint,
    { settledSlot }: Duties,
  ): Promise<PayableClaim> {
    const treasury = this.#treasury;
    if (treasury === undefined) {
      throw new ClaimRefusedError('unavailable', 'Claims are closed at the moment');
    }
    const order = { wallet: new PublicKey(wallet), mint: new PublicKey(mint), asset, amount, burn };
    return this.#refusable(() =>
      treasury.sign(order, { settledSlot, accountRefusal: () => this.#accountRefusal(wallet, mint) }),
    );
  }

  /** What to say of a treasury that cannot pay: another claim of the wallet may have been stored meanwhile. */
  async #shortOf(reason: Short, { wallet, mint }: ClaimRequest): Promise<ClaimRefusedError> {
    if (await this.#repository.isInProgress(wallet, mint)) return inProgress();
    this.#short.inc();
    return new ClaimRefusedError('later', `The treasury ${SHORT_OF[reason]} at the moment; try again later`);
  }

  /** @throws ClaimRefusedError when the claim could not land, or the node does not answer */
  async #refusable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof NodeUnavailableError) {
        throw new ClaimRefusedError('unavailable', 'The cluster cannot be reached; try again later', {
          cause,
        });
      }
      if (!(cause instanceof UnpayableError)) throw cause;
      if (cause.fault === 'claim') throw new ClaimRefusedError('claim', cause.message, { cause });
      this.#short.inc();
      throw new ClaimRefusedError('later', cause.message, { cause });
    }
  }

  /** A wallet that closes its account keeps the rent: the treasury pays it once, and for so many wallets in a day. */
  async #accountRefusal(wallet: string, mint: string): Promise<UnpayableError | undefined> {
    const { ofWallet, count } = await this.#repository.openedAccounts(wallet, mint, this.#dayAgo());
    if (ofWallet) {
      return new UnpayableError(
        'claim',
        'The token account that the treasury opened for this wallet was closed; open it again before claiming',
      );
    }
    if (count < this.#accountsPerDay) return undefined;
    return new UnpayableError(
      'treasury',
      'The treasury opens no more token accounts for now; open the account yourself, or try again tomorrow',
    );
  }

  #dayAgo(): Date {
    return new Date(this.#now() - DAY_MS);
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

/** Reasons that another claim's end can remove. */
type Short = Extract<NotStored, `short of ${string}` | 'referral not funded'>;

const SHORT_OF: Readonly<Record<Short, string>> = {
  'short of tokens': 'is short of tokens',
  'short of SOL': 'is short of SOL',
  'short of SOL for the network': 'is short of SOL for the network',
  'referral not funded': 'has not received the fees that pay these referral rewards',
};

function isShort(reason: NotStored): reason is Short {
  return reason in SHORT_OF;
}

function given(answer: Answer): string {
  if ('tx' in answer) return answer.tx;
  throw new ClaimRefusedError(answer.refusal, answer.message);
}

/** Refusals that come from the request and the rewards, rather than from the moment. */
function isLasting({ refusal }: ClaimRefusedError): boolean {
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
