// The wallet that pays claims: what it has, what it may spend, and the transactions that it signs.
import { associatedTokenAddress } from '@curvekit/sdk';
import { ACCOUNT_SIZE, TOKEN_PROGRAM_ID, unpackAccount, type Account } from '@solana/spl-token';
import { type PublicKey, type AccountInfo, type Connection, type Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { askNode } from './ask-node.js';
import { CLAIM_SIGNATURES, claimTransaction, type ClaimOrder } from './claim-transaction.js';

/** Why a claim cannot be paid as things are. The message is for the wallet's owner. */
export class UnpayableError extends Error {
  override readonly name = 'UnpayableError';

  constructor(
    /** Whose fault it is: only the treasury's can pass by itself. */
    readonly fault: 'claim' | 'treasury',
    message: string,
  ) {
    super(message);
  }
}

/** The RPC node did not answer, or with an error. */
export class NodeUnavailableError extends Error {
  override readonly name = 'NodeUnavailableError';
}

/** What claims under way take from the treasury. Lamports and smallest token units. */
export interface UnderWay {
  readonly reservedSol: bigint;
  readonly reservedToken: bigint;
  /** Network fees and rent of claims of tokens, which its finalized balance does not show yet. */
  readonly tokenClaimCosts: bigint;
}

/** What the treasury must keep. It is to be read before its balance is: what is paid meanwhile is then in both. */
export interface TreasuryDuties extends UnderWay {
  /** All that wallets have been credited and not been paid: claims of tokens must not spend it on fees and rent. */
  readonly owedSol: bigint;
  /** Why it may not pay for the wallet's token account; undefined when it may. */
  readonly accountRefusal: () => Promise<UnpayableError | undefined>;
}

/** A transaction ready to be handed out. */
export interface SignedClaim {
  /** The treasury's, which names the transaction. */
  readonly signature: string;
  /** Base64. */
  readonly transaction: string;
  readonly blockhashSlot: number;
  readonly lastValidBlockHeight: number;
  /** Lamports. */
  readonly networkFee: bigint;
  /** Whether it opens the wallet's token account, which the treasury then pays for. */
  readonly opensAccount: boolean;
  /** Lamports of rent that it takes, if only while it lands. */
  readonly rent: bigint;
}

/** A claim that is signed, and whether it can be paid. */
export interface PayableClaim {
  readonly signed: SignedClaim;
  /**
   * Judges again, by the balance that was read and what else is under way by now.
   *
   * @throws UnpayableError
   */
  readonly requireFunds: (underWay: UnderWay) => void;
}

/** Accounts that matter to a claim, as the chain has them. */
interface Funds {
  /** Finalized, so that nothing is promised that a fork could take away. */
  readonly treasuryLamports: bigint;
  readonly treasuryTokens: bigint;
  readonly walletExists: boolean;
  readonly walletHasAccount: boolean;
}

/** Fixed by the runtime; a claim pays no priority fee. */
const LAMPORTS_PER_SIGNATURE = 5_000n;
const NETWORK_FEE = CLAIM_SIGNATURES * LAMPORTS_PER_SIGNATURE;
const NODE_TIMEOUT_MS = 10_000;

export class Treasury {
  #rents: Promise<{ readonly wallet: bigint; readonly account: bigint }> | undefined;

  constructor(
    private readonly connection: Connection,
    private readonly keypair: Keypair,
  ) {}

  get address(): PublicKey {
    return this.keypair.publicKey;
  }

  /**
   * Makes and signs the transaction of a claim. Nobody may see it before the claim is stored.
   *
   * @throws UnpayableError when it could not land, or the treasury could not pay it
   * @throws NodeUnavailableError when the RPC node does not answer
   */
  async sign(order: ClaimOrder, duties: TreasuryDuties): Promise<PayableClaim> {
    if (order.wallet.equals(this.address)) {
      throw new UnpayableError('claim', 'The treasury itself cannot claim');
    }
    const [funds, rents, latest] = await this.#ask(() =>
      Promise.all([
        this.#funds(order),
        (this.#rents ??= this.#readRents()),
        this.connection.getLatestBlockhashAndContext('confirmed'),
      ]),
    ).catch((error: unknown) => {
      this.#rents = undefined;
      throw error;
    });
    const opens = order.asset === 'TOKEN' && !funds.walletHasAccount;
    const rent = opens ? rents.account : 0n;
    const opensAccount = opens && !order.burn;
    requireWorth(order, funds, rents.wallet);
    const requireFunds = (underWay: UnderWay) =>
      requireFundsFor(order, rent, funds, { ...underWay, owedSol: duties.owedSol }, rents.wallet);
    requireFunds(duties);
    const accountRefusal = opensAccount ? await duties.accountRefusal() : undefined;
    if (accountRefusal !== undefined) throw accountRefusal;
    const { context, value } = latest;
    const transaction = claimTransaction(this.keypair, order, {
      blockhash: value.blockhash,
      networkFee: NETWORK_FEE,
      walletHasAccount: funds.walletHasAccount,
    });
    const signed = {
      signature: bs58.encode(transaction.signatures[0]!),
      transaction: Buffer.from(transaction.serialize()).toString('base64'),
      blockhashSlot: context.slot,
      lastValidBlockHeight: value.lastValidBlockHeight,
      networkFee: NETWORK_FEE,
      opensAccount,
      rent,
    };
    return { signed, requireFunds };
  }

  /** Lamports that are finalized. @throws NodeUnavailableError */
  async lamports(): Promise<bigint> {
    return BigInt(await this.#ask(() => this.connection.getBalance(this.address, 'finalized')));
  }

  async #funds({ wallet, mint, asset }: ClaimOrder): Promise<Funds> {
    const ofToken = asset === 'TOKEN';
    const [treasuryAccounts, walletAccounts] = await Promise.all([
      this.connection.getMultipleAccountsInfo(
        ofToken ? [this.address, associatedTokenAddress(this.address, mint).address] : [this.address],
        'finalized',
      ),
      this.connection.getMultipleAccountsInfo(
        ofToken ? [wallet, associatedTokenAddress(wallet, mint).address] : [wallet],
        'confirmed',
      ),
    ]);
    const walletAccount = tokenAccount(walletAccounts[1], wallet, mint);
    // A wallet can give its token account away; what is paid there would not be the wallet's.
    if (walletAccount !== undefined && !walletAccount.owner.equals(wallet)) {
      throw new UnpayableError('claim', "The wallet's token account belongs to somebody else");
    }
    return {
      treasuryLamports: BigInt(treasuryAccounts[0]?.lamports ?? 0),
      treasuryTokens: tokenAccount(treasuryAccounts[1], this.address, mint)?.amount ?? 0n,
      walletExists: (walletAccounts[0]?.lamports ?? 0) > 0,
      walletHasAccount: walletAccount !== undefined,
    };
  }

  async #readRents() {
    const [wallet, account] = await Promise.all([
      this.connection.getMinimumBalanceForRentExemption(0),
      this.connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE),
    ]);
    return { wallet: BigInt(wallet), account: BigInt(account) };
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await askNode(question(), NODE_TIMEOUT_MS);
    } catch (cause) {
      if (cause instanceof UnpayableError) throw cause;
      throw new NodeUnavailableError('the RPC node does not answer', { cause });
    }
  }
}

/** A claim of SOL pays its own network fee, and must leave its wallet above rent exemption. */
function requireWorth({ asset, amount }: ClaimOrder, { walletExists }: Funds, walletRent: bigint): void {
  const least = NETWORK_FEE + (walletExists ? 0n : walletRent);
  if (asset !== 'SOL' || amount > least) return;
  const why = walletExists ? 'the network fee' : 'the network fee and the rent of a new wallet';
  throw new UnpayableError(
    'claim',
    `The SOL amount to claim is ${amount} lamports; it must be above ${least}, ${why}`,
  );
}

function requireFundsFor(
  { asset, amount }: ClaimOrder,
  rent: bigint,
  { treasuryLamports, treasuryTokens }: Funds,
  { reservedSol, reservedToken, tokenClaimCosts, owedSol }: UnderWay & Pick<TreasuryDuties, 'owedSol'>,
  walletRent: bigint,
): void {
  // The treasury's own account must stay.
  const spendable = treasuryLamports - walletRent - tokenClaimCosts;
  if (asset === 'SOL') {
    if (spendable < reservedSol + amount) throw shortOf('SOL');
    return;
  }
  if (treasuryTokens < reservedToken + amount) throw shortOf('tokens');
  if (spendable < owedSol + NETWORK_FEE + rent) throw shortOf('SOL for the network');
}

function shortOf(what: string): UnpayableError {
  return new UnpayableError('treasury', `The treasury is short of ${what} at the moment; try again later`);
}

/** The associated account, once it is one: anyone can send lamports to the address before. */
function tokenAccount(
  account: AccountInfo<Buffer> | null | undefined,
  owner: PublicKey,
  mint: PublicKey,
): Account | undefined {
  if (account === null || account === undefined || !account.owner.equals(TOKEN_PROGRAM_ID)) return undefined;
  return unpackAccount(associatedTokenAddress(owner, mint).address, account);
}
