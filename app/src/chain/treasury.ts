// The wallet that pays claims: what it has, what it may spend, and the transactions that it signs.
import { associatedTokenAddress } from '@curvekit/sdk';
import { ACCOUNT_SIZE, TOKEN_PROGRAM_ID, unpackAccount, type Account } from '@solana/spl-token';
import { type PublicKey, type AccountInfo, type Connection, type Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { withinTime } from '../time-limit.js';
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

/** What the treasury must keep. Lamports and smallest token units. */
export interface TreasuryDuties {
  /** Promised in claims in progress. */
  readonly reservedSol: bigint;
  readonly reservedToken: bigint;
  /** All that wallets have been credited and not been paid: claims of tokens must not spend it on fees and rent. */
  readonly owedSol: () => Promise<bigint>;
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
  async sign(order: ClaimOrder, duties: TreasuryDuties): Promise<SignedClaim> {
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
    const opensAccount = order.asset === 'TOKEN' && !order.burn && !funds.walletHasAccount;
    await requirePayable(order, funds, rents, duties);
    const accountRefusal = opensAccount ? await duties.accountRefusal() : undefined;
    if (accountRefusal !== undefined) throw accountRefusal;
    const { context, value } = latest;
    const transaction = claimTransaction(this.keypair, order, {
      blockhash: value.blockhash,
      networkFee: NETWORK_FEE,
      walletHasAccount: funds.walletHasAccount,
    });
    return {
      signature: bs58.encode(transaction.signatures[0]!),
      transaction: Buffer.from(transaction.serialize()).toString('base64'),
      blockhashSlot: context.slot,
      lastValidBlockHeight: value.lastValidBlockHeight,
      networkFee: NETWORK_FEE,
      opensAccount,
    };
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
      return await withinTime(question(), NODE_TIMEOUT_MS, 'the RPC node');
    } catch (cause) {
      if (cause instanceof UnpayableError) throw cause;
      throw new NodeUnavailableError('the RPC node does not answer', { cause });
    }
  }
}

async function requirePayable(
  { asset, amount }: ClaimOrder,
  { treasuryLamports, treasuryTokens, walletExists, walletHasAccount }: Funds,
  rents: { readonly wallet: bigint; readonly account: bigint },
  { reservedSol, reservedToken, owedSol }: TreasuryDuties,
): Promise<void> {
  // The treasury's own account must stay.
  const spendable = treasuryLamports - rents.wallet;
  if (asset === 'SOL') {
    const least = NETWORK_FEE + (walletExists ? 0n : rents.wallet);
    if (amount <= least) {
      const why = walletExists ? 'the network fee' : 'the network fee and the rent of a new wallet';
      throw new UnpayableError(
        'claim',
        `The SOL amount to claim is ${amount} lamports; it must be above ${least}, ${why}`,
      );
    }
    if (spendable < reservedSol + amount) throw shortOf('SOL');
    return;
  }
  if (treasuryTokens < reservedToken + amount) throw shortOf('tokens');
  const costs = NETWORK_FEE + (walletHasAccount ? 0n : rents.account);
  if (spendable < (await owedSol()) + costs) throw shortOf('SOL for the network');
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
