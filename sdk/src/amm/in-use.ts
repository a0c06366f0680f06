import type { Amm } from './amm.js';
import type { PoolState } from './maths.js';
import { RAYDIUM_CPMM } from './raydium-cpmm/index.js';

/**
 * The AMM that the graduation program opens pools with. Separate from its maths, because some pages load only the
 * maths.
 */
export const AMM: Amm<PoolState> = RAYDIUM_CPMM;
