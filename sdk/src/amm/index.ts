/** Pools that graduated tokens trade in. Nothing outside this folder knows which AMM they belong to. */
import type { Amm } from './amm.js';
import type { PoolState } from './maths.js';
import { RAYDIUM_CPMM } from './raydium-cpmm/index.js';

export type { Amm, PoolAddresses, SwapParams } from './amm.js';
export { poolLeastIn, poolTrade, type PoolState } from './maths.js';
export type { PoolReserves, PoolSide, PoolTrade } from './trade.js';

/** The AMM that the graduation program opens pools with. */
export const AMM: Amm<PoolState> = RAYDIUM_CPMM;
