/** Pools that graduated tokens trade in. Nothing outside this folder knows which AMM they belong to. */
export type { Amm, PoolAddresses, SwapParams } from './amm.js';
export { AMM } from './in-use.js';
export { poolAfterSwap, poolLeastIn, poolTrade, type PoolState } from './maths.js';
export type { PoolReserves, PoolSide, PoolSwap, PoolTrade } from './trade.js';
