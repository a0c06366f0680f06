// The interface of every AMM's maths. It uses no RPC and no web3.js, so that a page that only quotes loads nothing
// else.
import type { RecordPosition } from '../records/record.js';

/** One of the two assets of a pool: wrapped SOL, in lamports, or the token, in smallest units. */
export type PoolSide = 'sol' | 'token';

/** The tradable reserves: the balances of both vaults without the fees that the pool owes. */
export interface PoolReserves {
  /** Lamports. */
  readonly sol: bigint;
  /** Smallest token units. */
  readonly token: bigint;
}

/** An exact trade with a pool. */
export interface PoolTrade<State> {
  /** Amount that the trader pays, fee included. */
  readonly amountIn: bigint;
  /** Amount that the trader receives. 0 when the input is too small for one unit; the AMM refuses such a trade. */
  readonly amountOut: bigint;
  /** The part of `amountIn` that the fee takes before the trade. */
  readonly inputFee: bigint;
  /** The fee that is taken from the output before the trader receives it. */
  readonly outputFee: bigint;
  /** The pool after the trade. */
  readonly after: State;
}

export interface PoolMaths<State extends PoolReserves> {
  /** The trade that pays exactly `amountIn` of `input`. */
  exactIn(pool: State, input: PoolSide, amountIn: bigint): PoolTrade<State>;
  /** The least input for which `exactIn` yields at least `amountOut`; undefined when no input does. */
  leastIn(pool: State, input: PoolSide, amountOut: bigint): bigint | undefined;
  /** The pool after a swap of these amounts on chain. */
  afterSwap(pool: State, swap: Pick<PoolSwap, 'input' | 'amountIn' | 'amountOut'>): State;
}

/** A swap with a pool, read from a transaction. */
export interface PoolSwap {
  readonly position: RecordPosition;
  /**
   * The signer of the payment. For a swap inside another program's instruction, the account that this program signed
   * for or passed as signer.
   */
  readonly trader: string;
  /** The asset that was paid: wrapped SOL in a buy, the token in a sale. */
  readonly input: PoolSide;
  /** Amount that the pool received, fee included. */
  readonly amountIn: bigint;
  /** Amount that the pool paid to the trader. */
  readonly amountOut: bigint;
  /** The pool before the swap. Undefined when the log is truncated. */
  readonly reservesBefore: PoolReserves | undefined;
}

/** The asset that a trade pays out. */
export function otherSide(side: PoolSide): PoolSide {
  return side === 'sol' ? 'token' : 'sol';
}
