// Selects the maths for a pool's AMM. Another AMM adds its state type and one line here.
import { afterSwap, exactIn, leastIn, type CpmmPool } from './raydium-cpmm/maths.js';
import type { PoolMaths, PoolSide, PoolSwap, PoolTrade } from './trade.js';

/** The state of a pool that the maths needs. */
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
 * The pool after a swap, from its state before. The reserves in the transaction's log take precedence over those in
 * `pool`, because somebody may have added or removed liquidity since `pool` was read.
 */
export function poolAfterSwap(pool: PoolState, swap: PoolSwap): PoolState {
  return MATHS[pool.amm].afterSwap({ ...pool, ...swap.reservesBefore }, swap);
}
