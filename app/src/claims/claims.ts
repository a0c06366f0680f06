// Turns a wallet's request into a claim: reserves the whole unclaimed amount and returns the transaction, or does neither.
import { setTimeout as sleep } from 'node:timers/promises';
import { PublicKey } from '@solana/web3.js';
import { Counter } from 'prom-client';
import type { Context } from '../context.js';
import type { Queries } from '../db/database.js';
import type { ByOrigin } from '../ledger/accounts.js';
import { coveredOf, isInProgress, nothingToClaim, readClaimable, readOpenedAccounts } from './claimable.js';
import { hashOf, IdempotencyKeys, type NewAnswer } from './idempotency-keys.js';
import {
  ClaimRefusedError,
  inProgress,
  isShort,
  orUnavailable,
  REFUSALS,
  SHORT_OF,
  type ClaimRefusal,
  type Short,
} from './refusal.js';
import { type ClaimsRepository, type Duties, type NewClaim } from './repository.js';
import { Treasury, type PayableClaim, type Terms, shared } from './treasury.js';

export type ClaimRequest = Pick<NewClaim, 'wallet' | 'mint' | 'asset' | 'burn'> & {
  readonly idempotencyKey: string | undefined;
};

const DAY_MS = 24 * 60 * 60_000;
/** How long the answer to an idempotency key is stored. */
const KEY_LIFE_MS = DAY_MS;
/** A claim that fails on chain costs the treasury the network fee, and a wallet can make its claims fail on purpose. */
const MOST_FAILURES = 3;
/** A claim that its wallet does not sign takes a part of the signer's limit of a day until it expires. */
const MOST_EXPIRIES = 10;
/** Credits can arrive between reading the amount and reserving it. */
const ATTEMPTS = 5;
/**
 * For a moment, a paid claim has reduced the balance but still has its reserve. During this time, a claim that seems
 * uncovered is retried.
 */
const SHORT_FOR_MS = 3_000;
const SHORT_PAUSE_MS = 300;

/** A stored answer: a transaction, or a permanent refusal. */
type Answer = { readonly tx: string } | { readonly refusal: ClaimRefusal; readonly message: string };

export interface PaysClaims {
  /**
   * Reserves all that the wallet can claim and returns the transaction that pays it, in Base64, signed by the treasury.
   *
   * @throws ClaimRefusedError when nothing is reserved
   */
  initiate(request: ClaimRequest): Promise<string>;
}

type Repository = Pick<ClaimsRepository, 'database' | 'duties' | 'store'>;

export class Claims implements PaysClaims {
  /** Connection pool for payments. */
  readonly #queries: Queries;
  readonly #repository: Repository;
  readonly #keys: IdempotencyKeys;
  readonly #treasury: Treasury | undefined;
  readonly #accountsPerDay: number;
  readonly #now: () => number;
  readonly #initiated: Counter<'asset'>;
  readonly #opening: Counter;
  readonly #short: Counter;
  readonly #duties = shared<Duties>();
  readonly #surplus = shared<bigint>();

  constructor({ config, connection, metrics, now }: Context, repository: Repository) {
    this.#queries = repository.database.queries;
    this.#repository = repository;
    this.#keys = new IdempotencyKeys(repository.database);
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

  async initiate(request: ClaimRequest): Promise<string> {
    const { wallet, idempotencyKey: key } = request;
    const requestHash = hashOf([request.mint, request.asset, request.burn]);
    const kept = await this.#storedAnswer(wallet, key, requestHash);
    if (kept !== undefined) return replay(kept);
    try {
      return await this.#attempt(request, requestHash);
    } catch (error) {
      if (!(error instanceof ClaimRefusedError)) throw error;
      // A concurrent request with the same key may have stored its answer: return that one.
      const first = await this.#storedAnswer(wallet, key, requestHash);
      if (first !== undefined) return replay(first);
      const { refusal, message } = error;
      if (key !== undefined && REFUSALS[refusal].isLasting) {
        await this.#keys.store(wallet, this.#answer(key, requestHash, { refusal, message }));
      }
      throw error;
    }
  }

  async #attempt(request: ClaimRequest, requestHash: string): Promise<string> {
    const { wallet, mint, asset, burn, idempotencyKey: key } = request;
    if (asset === 'SOL' && burn) {
      throw new ClaimRefusedError('claim', 'SOL cannot be burned; leave burnToken out or set it to false');
    }
    const until = performance.now() + SHORT_FOR_MS;
    // Shared balances can be older than a payment that has just ended, so after a refusal they are read again.
    let since = -Infinity;
    for (let attempt = 1; attempt <= ATTEMPTS;) {
      const { settlement, referral, volume } = await this.#claimable(request);
      const amount = settlement + referral + volume;
      // Read before the balances: a payment in between then shows in both.
      const duties = await this.#duties.get(mint, () => this.#repository.duties(mint), since);
      const { signed, balances } = await this.#sign(request, amount, { ...duties, since });
      const { transaction: tx } = signed;
      const notStored = await this.#repository.store(
        { ...signed, wallet, mint, asset, amount, referral, volume, burn },
        key === undefined ? undefined : this.#answer(key, requestHash, { tx }),
        balances,
      );
      if (notStored === undefined) {
        this.#initiated.inc({ asset });
        if (signed.opensAccount) this.#opening.inc();
        return tx;
      }
      // With the same key, the caller reads the stored answer; otherwise another claim is in progress.
      if (notStored === 'in progress' || notStored === 'key taken') throw inProgress();
      if (notStored.startsWith('held: ')) {
        // `/ready` and the log say why.
        throw new ClaimRefusedError('unavailable', 'Claims are closed for now; try again in a minute');
      }
      if (isShort(notStored)) {
        if (since > -Infinity && (!duties.isPaying || performance.now() >= until))
          throw await this.#shortOf(notStored, request);
        if (duties.isPaying) await sleep(SHORT_PAUSE_MS);
      } else {
        attempt += 1;
      }
      since = performance.now();
    }
    throw new ClaimRefusedError('unavailable', 'The rewards are changing right now; try again');
  }

  /** What the wallet can claim now, by origin. Rewards whose fees are not in the treasury yet are left for a later claim. */
  async #claimable({ wallet, mint, asset }: ClaimRequest): Promise<ByOrigin> {
    const read = () => readClaimable(this.#queries, wallet, mint, asset, this.#dayAgo());
    let claimable = await read();
    // Rewards are credited faster than their own fees arrive; earlier fees in the treasury can back them at once.
    const payable = () => (asset === 'TOKEN' ? claimable.amounts : coveredOf(claimable));
    if (sumOf(payable()) < sumOf(claimable.amounts) && (await this.#coverFromSurplus()) > 0n)
      claimable = await read();
    const { tokenExists, inProgress: busy, amounts, failures, expiries } = claimable;
    if (busy) throw inProgress();
    if (sumOf(amounts) === 0n) {
      if (!tokenExists) throw new ClaimRefusedError('token', 'There is no such token');
      throw await nothingToClaim(this.#queries, { wallet, mint, asset });
    }
    if (failures >= MOST_FAILURES) throw tomorrow(`${failures} claims of this wallet failed on chain`);
    if (expiries >= MOST_EXPIRIES)
      throw tomorrow(`${expiries} claims of this wallet expired without its signature`);
    if (sumOf(payable()) > 0n) return payable();
    this.#short.inc();
    throw new ClaimRefusedError(
      'later',
      'The fees that pay these rewards are not in the treasury yet; try again later',
    );
  }

  /** Lamports of rewards that fees in the treasury back from now on. */
  async #coverFromSurplus(): Promise<bigint> {
    const treasury = this.#treasury;
    if (treasury === undefined) return 0n;
    return this.#surplus.get('', () =>
      this.#refusable(() => treasury.coverFromSurplus(this.#repository.database)),
    );
  }

  async #sign(
    { wallet, mint, asset, burn }: ClaimRequest,
    amount: bigint,
    { settledSlot, since }: Duties & Pick<Terms, 'since'>,
  ): Promise<PayableClaim> {
    const treasury = this.#treasury;
    if (treasury === undefined) {
      throw new ClaimRefusedError('unavailable', 'Claims are closed at the moment');
    }
    const order = { wallet: new PublicKey(wallet), mint: new PublicKey(mint), asset, amount, burn };
    return this.#refusable(() =>
      treasury.sign(order, {
        settledSlot,
        since,
        accountRefusal: () => this.#accountRefusal(wallet, mint),
      }),
    );
  }

  /** The refusal when the treasury cannot pay, unless another claim of the wallet was stored meanwhile. */
  async #shortOf(reason: Short, { wallet, mint }: ClaimRequest): Promise<ClaimRefusedError> {
    if (await isInProgress(this.#queries, wallet, mint)) return inProgress();
    this.#short.inc();
    return new ClaimRefusedError('later', `The treasury ${SHORT_OF[reason]} at the moment; try again later`);
  }

  /** @throws ClaimRefusedError when the claim could not land, or the node does not answer */
  async #refusable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      // Its treasury has too little.
      if (cause instanceof ClaimRefusedError && cause.refusal === 'later') this.#short.inc();
      throw orUnavailable(cause);
    }
  }

  /** A wallet that closes its account keeps the rent. So the treasury pays it once per wallet and token, with a daily limit. */
  async #accountRefusal(wallet: string, mint: string): Promise<ClaimRefusedError | undefined> {
    const { ofWallet, count } = await readOpenedAccounts(this.#queries, wallet, mint, this.#dayAgo());
    if (ofWallet) {
      // A concurrent request has promised the account, and its transaction has not landed.
      if (await isInProgress(this.#queries, wallet, mint)) throw inProgress();
      return new ClaimRefusedError(
        'claim',
        'The token account that the treasury opened for this wallet was closed; open it again before claiming',
      );
    }
    if (count < this.#accountsPerDay) return undefined;
    return new ClaimRefusedError(
      'later',
      'The treasury opens no more token accounts for now; open the account yourself, or try again tomorrow',
    );
  }

  #dayAgo(): Date {
    return new Date(this.#now() - DAY_MS);
  }

  /** @throws ClaimRefusedError when the key was used for another request */
  async #storedAnswer(
    wallet: string,
    key: string | undefined,
    requestHash: string,
  ): Promise<Answer | undefined> {
    if (key === undefined) return undefined;
    const kept = await this.#keys.find(wallet, key, new Date(this.#now()));
    if (kept === undefined) return undefined;
    if (kept.requestHash !== requestHash) {
      throw new ClaimRefusedError(
        'key reused',
        'The Idempotency-Key was used with another body; take a new one',
      );
    }
    return JSON.parse(kept.body) as Answer;
  }

  #answer(key: string, requestHash: string, answer: Answer): NewAnswer {
    const now = this.#now();
    return {
      key,
      requestHash,
      body: JSON.stringify(answer),
      now: new Date(now),
      expiresAt: new Date(now + KEY_LIFE_MS),
    };
  }
}

const sumOf = ({ settlement, referral, volume }: ByOrigin) => settlement + referral + volume;

const tomorrow = (why: string) =>
  new ClaimRefusedError('later', `${why} in the last 24 hours; try again tomorrow`);

function replay(answer: Answer): string {
  if ('tx' in answer) return answer.tx;
  throw new ClaimRefusedError(answer.refusal, answer.message);
}
