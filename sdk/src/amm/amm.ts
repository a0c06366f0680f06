import type { AccountInfo, PublicKey, TransactionInstruction } from '@solana/web3.js';
import type { GraduateAccounts } from '../generated/graduation/instructions.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import type { PoolSide, PoolSwap } from './trade.js';

/** Every address that a trade with one pool, or its reading, needs. */
export interface PoolAddresses {
  readonly mint: PublicKey;
  /** The pool's own account. */
  readonly pool: PublicKey;
  /** Owns both vaults, and those of every other pool of this AMM: no holder of a token. */
  readonly authority: PublicKey;
  /** The fee tier. */
  readonly config: PublicKey;
  /** Where the AMM records prices. */
  readonly observation: PublicKey;
  /** Mint of the shares in the liquidity. */
  readonly liquidityMint: PublicKey;
  readonly vaults: Readonly<Record<PoolSide, PublicKey>>;
}

/** A swap of exactly `amountIn`. Both token accounts must exist, and belong to `owner`, who signs. */
export interface SwapParams {
  readonly owner: PublicKey;
  readonly input: PoolSide;
  readonly from: PublicKey;
  readonly to: PublicKey;
  readonly amountIn: bigint;
  /** The AMM refuses to pay out less. */
  readonly minAmountOut: bigint;
}

/** The accounts of `graduate` that are the AMM's. */
export type OpeningAccounts = Pick<
  GraduateAccounts,
  | 'ammProgram'
  | 'ammConfig'
  | 'ammAuthority'
  | 'pool'
  | 'lpMint'
  | 'lpTokens'
  | 'poolVault0'
  | 'poolVault1'
  | 'poolFeeReceiver'
  | 'observation'
>;

/** What the SDK needs of an AMM beside its maths. Another one is another folder beside `raydium-cpmm`. */
export interface Amm<State> {
  readonly programId: PublicKey;
  /** Addresses of the pool of `mint` and wrapped SOL whose account is at `pool`. */
  addresses(pool: PublicKey, mint: PublicKey): PoolAddresses;
  /** The accounts that `decode` reads, in its order. */
  accounts(addresses: PoolAddresses): PublicKey[];
  /**
   * The pool's state; null where it has not been opened, even when somebody has sent lamports to its address.
   *
   * @throws UnexpectedAccountError for an account that is not what its address promises
   */
  decode(addresses: PoolAddresses, accounts: readonly (AccountInfo<Uint8Array> | null)[]): State | null;
  /** What `graduate` opens the pool with; `creator` pays for it. */
  openingAccounts(addresses: PoolAddresses, creator: PublicKey): OpeningAccounts;
  /** Lamports that the AMM asks for a new pool, rents aside, by the data of its fee tier. */
  openingFee(config: Uint8Array): bigint;
  /** The instruction for a swap. */
  swap(addresses: PoolAddresses, params: SwapParams): TransactionInstruction;
  /**
   * The swaps of a pool in a transaction, in the order they were made; none in a failed one.
   *
   * @throws IncompleteTransactionError when the node's answer lacks what they are read from
   */
  swaps(transaction: ConfirmedTransaction, addresses: PoolAddresses): PoolSwap[];
  /** Page of the AMM where people trade the token on mainnet. */
  pageOf(mint: PublicKey): string;
  /** The AMM's name of its own error, such as `ExceededSlippage`; undefined for a code that is not one. */
  errorName(code: number): string | undefined;
  /** Whether its error says that the price was worse than the limit of a swap. */
  isSlippage(code: number): boolean;
}
