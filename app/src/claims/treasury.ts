// The treasury, the wallet that pays claims: its balances, what it may spend, and the transactions it signs.
import { associatedTokenAddress } from '@curvekit/sdk';
import { ACCOUNT_SIZE, TOKEN_PROGRAM_ID, unpackAccount, type Account } from '@solana/spl-token';
import { PublicKey, type AccountInfo, type Connection } from '@solana/web3.js';
import bs58 from 'bs58';
import { askNode, rentMinimum, LAMPORTS_PER_SIGNATURE } from '../chain/connection.js';
import { BatchLoader } from '../db/batch-loader.js';
import type { Database } from '../db/database.js';
import type { Signer } from '../keys/signer.js';
import { coverFromSurplus } from './cover.js';
import { ClaimRefusedError } from './refusal.js';
import { CLAIM_SIGNATURES, claimTransaction, type ClaimOrder } from './transaction.js';
import { Cache } from '../base/cached-value.js';
import type { Funds, NewClaim } from './repository.js';

/** Inputs that decide how a claim is paid. */
export interface Terms {
  /** Balances of an earlier slot do not include recent payments. */
  readonly settledSlot: number;
  /** A time of `performance.now()`. Anything read from the RPC node before it is read again. */
  readonly since: number;
  /** Why the treasury may not pay rent for the wallet's token account; undefined when it may. */
  readonly accountRefusal: () => Promise<ClaimRefusedError | undefined>;
}

/** A transaction that is ready for the wallet. */
export type SignedClaim = Pick<
  NewClaim,
  | 'signature'
  | 'transaction'
  | 'blockhashSlot'
  | 'lastValidBlockHeight'
  | 'networkFee'
  | 'opensAccount'
  | 'rent'
>;

export interface PayableClaim {
  readonly signed: SignedClaim;
  readonly balances: Funds;
}

/** The wallet's accounts that a claim depends on. */
interface Destination {
  readonly exists: boolean;
  readonly hasAccount: boolean;
}

/** A claim pays no priority fee. */
const NETWORK_FEE = CLAIM_SIGNATURES * LAMPORTS_PER_SIGNATURE;
const NODE_TIMEOUT_MS = 10_000;

/** How long an answer is shared. Storing a claim notices newer payments by their slot. */
const SHARED_MS = 250;
const MOST_SHARED = 10_000;

/** Concurrent calls with the same key share one request, and calls just after it its answer. */
export const shared = <Value>() => new Cache<Value>(SHARED_MS, MOST_SHARED, SHARED_MS);

interface Rents {
  readonly wallet: bigint;
  readonly account: bigint;
}

export class Treasury {
  #rents: Promise<Rents> | undefined;
  readonly #balances = shared<Funds>();
  readonly #blockhash = shared<Awaited<ReturnType<Connection['getLatestBlockhashAndContext']>>>();
  /** Accounts of claiming wallets, read at `confirmed`. */
  readonly #accounts = new BatchLoader<AccountInfo<Buffer>>(async (addresses) => {
    const found = await this.connection.getMultipleAccountsInfo(
      addresses.map((address) => new PublicKey(address)),
      'confirmed',
    );
    return new Map(
      addresses.flatMap((address, index) => {
        const account = found[index] ?? null;
        return account === null ? [] : [[address, account]];
      }),
    );
  });

  constructor(
    private readonly connection: Connection,
    private readonly signer: Signer,
  ) {}

  get address(): PublicKey {
    return this.signer.publicKey;
  }

  /**
   * Builds and signs the transaction of a claim. It must not leave the service before the claim is stored.
   *
   * @throws ClaimRefusedError when it could not land, or the RPC node does not answer or lags behind the latest payment
   * @throws SignerError when the treasury's signer does not sign
   */
  async sign(order: ClaimOrder, { settledSlot, since, accountRefusal }: Terms): Promise<PayableClaim> {
    if (order.wallet.equals(this.address)) {
      throw new ClaimRefusedError('claim', 'The treasury itself cannot claim');
    }
    const [balances, before, rents, latest] = await this.#ask(async () => {
      const readingRents = (this.#rents ??= this.#readRents());
      readingRents.catch(() => (this.#rents = undefined));
      return Promise.all([
        this.#readBalances(order.asset === 'TOKEN' ? order.mint : undefined, settledSlot, since),
        this.#readDestination(order),
        readingRents,
        this.#blockhash.get('latest', () => this.connection.getLatestBlockhashAndContext('confirmed'), since),
      ]);
    });
    requireWorth(order, before, rents.wallet);
    const destination = await this.#withPermission(order, before, accountRefusal);
    const opens = order.asset === 'TOKEN' && !destination.hasAccount;
    const opensAccount = opens && !order.burn;
    const { context, value } = latest;
    const transaction = await claimTransaction(this.signer, order, {
      blockhash: value.blockhash,
      networkFee: NETWORK_FEE,
      walletHasAccount: destination.hasAccount,
    });
    const signed = {
      signature: bs58.encode(transaction.signatures[0]!),
      transaction: Buffer.from(transaction.serialize()).toString('base64'),
      blockhashSlot: context.slot,
      lastValidBlockHeight: value.lastValidBlockHeight,
      networkFee: NETWORK_FEE,
      opensAccount,
      rent: opens ? rents.account : 0n,
    };
    return { signed, balances };
  }

  /** The destination, if the treasury may pay for what it lacks. @throws ClaimRefusedError */
  async #withPermission(
    order: ClaimOrder,
    read: Destination,
    accountRefusal: Terms['accountRefusal'],
  ): Promise<Destination> {
    if (order.asset !== 'TOKEN' || order.burn || read.hasAccount) return read;
    const refusal = await accountRefusal();
    if (refusal === undefined) return read;
    // A claim that landed in between can have opened the account.
    const again = await this.#ask(() => this.#readDestination(order));
    if (!again.hasAccount) throw refusal;
    return again;
  }

  /**
   * Backs rewards with fees that the treasury has and owes to nobody.
   *
   * @returns lamports that are backed now and were not before
   * @throws ClaimRefusedError when the node does not answer, or errors of the database
   */
  async coverFromSurplus(database: Database): Promise<bigint> {
    return coverFromSurplus({ database, connection: this.connection }, this.address, (answer) =>
      this.#ask(() => answer),
    );
  }

  /** @param mint the token whose balance is read too */
  async #readBalances(mint: PublicKey | undefined, settledSlot: number, since: number): Promise<Funds> {
    const key = mint?.toBase58() ?? '';
    const balances = await this.#balances.get(key, () => this.#fetchBalances(mint), since);
    if (balances.slot >= settledSlot) return balances;
    return this.#fetchBalances(mint, settledSlot);
  }

  async #fetchBalances(mint: PublicKey | undefined, minContextSlot?: number): Promise<Funds> {
    const { wallet: rent } = await (this.#rents ??= this.#readRents());
    const { context, value } = await this.connection.getMultipleAccountsInfoAndContext(
      mint === undefined
        ? [this.address]
        : [this.address, associatedTokenAddress(this.address, mint).address],
      { commitment: 'finalized', ...(minContextSlot === undefined ? {} : { minContextSlot }) },
    );
    return {
      treasury: this.address.toBase58(),
      slot: context.slot,
      lamports: BigInt(value[0]?.lamports ?? 0) - rent,
      tokens: mint === undefined ? 0n : (tokenAccount(value[1], this.address, mint)?.amount ?? 0n),
    };
  }

  async #readDestination({ wallet, mint, asset }: ClaimOrder): Promise<Destination> {
    const [ownAccount, ofToken] = await Promise.all([
      this.#accounts.get(wallet.toBase58()),
      asset === 'TOKEN'
        ? this.#accounts.get(associatedTokenAddress(wallet, mint).address.toBase58())
        : undefined,
    ]);
    const account = tokenAccount(ofToken, wallet, mint);
    // A wallet can give its token account to another owner, who would then receive the payment.
    if (account !== undefined && !account.owner.equals(wallet)) {
      throw new ClaimRefusedError('claim', "The wallet's token account belongs to somebody else");
    }
    return { exists: (ownAccount?.lamports ?? 0) > 0, hasAccount: account !== undefined };
  }

  async #readRents() {
    const [wallet, account] = await Promise.all([
      rentMinimum(this.connection, 0),
      rentMinimum(this.connection, ACCOUNT_SIZE),
    ]);
    return { wallet: BigInt(wallet), account: BigInt(account) };
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await askNode(question(), NODE_TIMEOUT_MS);
    } catch (cause) {
      if (cause instanceof ClaimRefusedError) throw cause;
      throw new ClaimRefusedError('unavailable', 'The cluster cannot be reached; try again later', { cause });
    }
  }
}

/** A claim of SOL pays its own network fee, and must leave its wallet above rent exemption. */
function requireWorth({ asset, amount }: ClaimOrder, { exists }: Destination, walletRent: bigint): void {
  const least = NETWORK_FEE + (exists ? 0n : walletRent);
  if (asset !== 'SOL' || amount > least) return;
  const why = exists ? 'the network fee' : 'the network fee and the rent of a new wallet';
  throw new ClaimRefusedError(
    'claim',
    `The SOL amount to claim is ${amount} lamports; it must be above ${least}, ${why}. It stays credited and is paid together with the next rewards of this token`,
  );
}

/** The associated token account, if it exists. Anyone can send lamports to its address before that. */
function tokenAccount(
  account: AccountInfo<Buffer> | null | undefined,
  owner: PublicKey,
  mint: PublicKey,
): Account | undefined {
  if (account === null || account === undefined || !account.owner.equals(TOKEN_PROGRAM_ID)) return undefined;
  return unpackAccount(associatedTokenAddress(owner, mint).address, account);
}
