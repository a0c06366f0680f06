import type { Amm } from './amm.js';
import type { PoolState } from './maths.js';
import { RAYDIUM_CPMM } from './raydium-cpmm/index.js';

/** The AMM that the graduation program opens pools with. Apart from its maths, which some pages load alone. */
export const AMM: Amm<PoolState> = RAYDIUM_CPMM;
