// The pool maths for callers: with checks of their arguments. The maths itself imports nothing.
import { requireObject } from '../checks/options.js';
import { InvalidArgumentError } from '../errors/index.js';
import * as maths from './maths.js';
import type { PoolState } from './maths.js';
import type { PoolSide, PoolSwap, PoolTrade } from './trade.js';

/** The trade that pays exactly `amountIn` of `input`. @throws InvalidArgumentError for a value that is not a pool */
export function poolTrade(pool: PoolState, input: PoolSide, amountIn: bigint): PoolTrade<PoolState> {
  requirePool(pool);
  requireAmount('amountIn', amountIn);
  return maths.poolTrade(pool, input, amountIn);
}

/**
 * The least input for which {@link poolTrade} yields at least `amountOut`; undefined when no input does. @throws
 * InvalidArgumentError for a value that is not a pool
 */
export function poolLeastIn(pool: PoolState, input: PoolSide, amountOut: bigint): bigint | undefined {
  requirePool(pool);
  requireAmount('amountOut', amountOut);
  return maths.poolLeastIn(pool, input, amountOut);
}

/**
 * The pool after a swap, from its state before. The reserves in the transaction's log take precedence over those in
 * `pool`, because somebody may have added or removed liquidity since `pool` was read.
 *
 * @throws InvalidArgumentError for a value that is not a pool or a swap
 */
export function poolAfterSwap(pool: PoolState, swap: PoolSwap): PoolState {
  requirePool(pool);
  requireObject('swap', swap);
  return maths.poolAfterSwap(pool, swap);
}

function requirePool(pool: PoolState): void {
  requireObject('pool', pool);
  if (pool.amm !== 'raydium-cpmm')
    throw new InvalidArgumentError(
      'pool.amm',
      `is '${String(pool.amm)}'; pass the pool that fetchMarket returns`,
    );
}

function requireAmount(argument: string, amount: bigint): void {
  if (typeof amount !== 'bigint') throw new InvalidArgumentError(argument, 'must be a bigint');
}
