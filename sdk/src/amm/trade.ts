// What the maths of every AMM says. No RPC, no web3.js: a page that only quotes does not load more.
import type { RecordPosition } from '../records/record.js';

/** One of the two assets of a pool: wrapped SOL, in lamports, or the token, in smallest units. */
export type PoolSide = 'sol' | 'token';

/** What can be traded against: both vaults without the fees in them that the pool owes to others. */
export interface PoolReserves {
  /** Lamports. */
  readonly sol: bigint;
  /** Smallest token units. */
  readonly token: bigint;
}

/** A trade with a pool, exact. */
export interface PoolTrade<State> {
  /** What the trader pays, fee included. */
  readonly amountIn: bigint;
  /** What the trader receives; 0 when the input is too small for one unit, which the AMM refuses. */
  readonly amountOut: bigint;
  /** The part of `amountIn` that is not traded. */
  readonly inputFee: bigint;
  /** What is taken from the traded output before the trader receives it. */
  readonly outputFee: bigint;
  /** The pool afterwards. */
  readonly after: State;
}

/** The maths of an AMM. */
export interface PoolMaths<State extends PoolReserves> {
  /** The trade that pays exactly `amountIn` of `input`. */
  exactIn(pool: State, input: PoolSide, amountIn: bigint): PoolTrade<State>;
  /** The least input for which `exactIn` yields at least `amountOut`; undefined when no input does. */
  leastIn(pool: State, input: PoolSide, amountOut: bigint): bigint | undefined;
  /** The pool after a swap of these amounts, which its program has made. */
  afterSwap(pool: State, swap: Pick<PoolSwap, 'input' | 'amountIn' | 'amountOut'>): State;
}

/** A swap that a transaction made with a pool. */
export interface PoolSwap {
  readonly position: RecordPosition;
  /** Who signed for the payment; of a swap within another program's, the key that this program let sign. */
  readonly trader: string;
  /** What was paid: wrapped SOL in a buy, the token in a sale. */
  readonly input: PoolSide;
  /** What reached the pool, fee included. */
  readonly amountIn: bigint;
  /** What left the pool for the trader. */
  readonly amountOut: bigint;
  /** The pool before the swap; undefined where the log is cut. */
  readonly reservesBefore: PoolReserves | undefined;
}

/** The asset that a trade pays out. */
export function otherSide(side: PoolSide): PoolSide {
  return side === 'sol' ? 'token' : 'sol';
}
