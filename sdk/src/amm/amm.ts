import type { AccountInfo, PublicKey, TransactionInstruction } from '../chain/types.js';
import type { GraduateAccounts } from '../generated/graduation/instructions.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import type { PoolSide, PoolSwap } from './trade.js';

/** Every address that a trade with one pool, or a read of it, needs. */
export interface PoolAddresses {
  readonly mint: PublicKey;
  /** The pool's own account. */
  readonly pool: PublicKey;
  /** Owns the vaults of every pool of this AMM, so it must not count as a holder of a token. */
  readonly authority: PublicKey;
  /** The fee tier. */
  readonly config: PublicKey;
  /** The account in which the AMM records prices. */
  readonly observation: PublicKey;
  /** Mint of the liquidity (LP) tokens. */
  readonly liquidityMint: PublicKey;
  readonly vaults: Readonly<Record<PoolSide, PublicKey>>;
}

/** A swap of exactly `amountIn`. Both token accounts must exist and belong to `owner`, who signs. */
export interface SwapParams {
  readonly owner: PublicKey;
  readonly input: PoolSide;
  readonly from: PublicKey;
  readonly to: PublicKey;
  readonly amountIn: bigint;
  /** The AMM refuses a swap that pays out less. */
  readonly minAmountOut: bigint;
}

/** The accounts of `graduate` that belong to the AMM. */
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

/** Everything that the SDK needs of an AMM except its maths. Each AMM has its own folder, such as `raydium-cpmm`. */
export interface Amm<State> {
  readonly programId: PublicKey;
  /** Addresses of the pool of `mint` and wrapped SOL, with the pool account at `pool`. */
  addresses(pool: PublicKey, mint: PublicKey): PoolAddresses;
  /** The accounts that `decode` needs, in the same order. */
  accounts(addresses: PoolAddresses): PublicKey[];
  /**
   * The pool's state. Null when the pool has not been opened, even if somebody has already sent lamports to its
   * address.
   *
   * @throws UnexpectedAccountError for an account of another owner, kind or length
   */
  decode(addresses: PoolAddresses, accounts: readonly (AccountInfo<Uint8Array> | null)[]): State | null;
  /** The accounts with which `graduate` opens the pool. `creator` pays. */
  openingAccounts(addresses: PoolAddresses, creator: PublicKey): OpeningAccounts;
  /** Lamports that the AMM charges for a new pool, without rent. `config` is the account data of its fee tier. */
  openingFee(config: Uint8Array): bigint;
  /** Whether the AMM's admin allows new pools. `config` as for `openingFee`. */
  opensPools(config: Uint8Array): boolean;
  /** The instruction for a swap. */
  swap(addresses: PoolAddresses, params: SwapParams): TransactionInstruction;
  /**
   * A transaction's swaps with a pool, in order. Empty for a failed transaction.
   *
   * @throws IncompleteTransactionError when the RPC node's answer lacks data that the swaps are read from
   */
  swaps(transaction: ConfirmedTransaction, addresses: PoolAddresses): PoolSwap[];
  /** Web page of the AMM for trading the token on mainnet. */
  pageOf(mint: PublicKey): string;
  /** The AMM's name of one of its errors, such as `ExceededSlippage`. Undefined for an unknown code. */
  errorName(code: number): string | undefined;
  /** Whether the error code means that the price was worse than the limit of a swap. */
  isSlippage(code: number): boolean;
}
