// The maths of the pool at hand. Another AMM adds its state and its line.
import type { PoolMaths, PoolSide, PoolSwap, PoolTrade } from './trade.js';
import { afterSwap, exactIn, leastIn, type CpmmPool } from './raydium-cpmm/maths.js';

/** A pool as far as its maths is concerned. */
export type PoolState = CpmmPool;

const MATHS: { readonly [Name in PoolState['amm']]: PoolMaths<PoolState> } = {
  'raydium-cpmm': { exactIn, leastIn, afterSwap },
};

/** The trade that pays exactly `amountIn` of `input`. */
export function poolTrade(pool: PoolState, input: PoolSide, amountIn: bigint): PoolTrade<PoolState> {
  return MATHS[pool.amm].exactIn(pool, input, amountIn);
}

/** The least input for which {@link poolTrade} yields at least `amountOut`; undefined when no input does. */
export function poolLeastIn(pool: PoolState, input: PoolSide, amountOut: bigint): bigint | undefined {
  return MATHS[pool.amm].leastIn(pool, input, amountOut);
}

/**
 * The pool after a swap that a transaction made, by its state before. Where the transaction's log tells the reserves before
 * the swap, they count: liquidity may have come or gone since `pool` was read.
 */
export function poolAfterSwap(pool: PoolState, swap: PoolSwap): PoolState {
  return MATHS[pool.amm].afterSwap({ ...pool, ...swap.reservesBefore }, swap);
}
