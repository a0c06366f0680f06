/** Pools in which graduated tokens trade. Code outside this folder does not depend on a particular AMM. */
export type { Amm, PoolAddresses, SwapParams } from './amm.js';
export { AMM } from './in-use.js';
export { poolAfterSwap, poolLeastIn, poolTrade } from './checked-maths.js';
export type { PoolState } from './maths.js';
export type { PoolReserves, PoolSide, PoolSwap, PoolTrade } from './trade.js';
