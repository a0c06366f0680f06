/** Pools in which graduated tokens trade. Code outside this folder does not depend on a particular AMM. */
import type { Amm } from './amm.js';
import * as amm from './in-use.js';
import type { PoolState } from './maths.js';

export type { Amm, PoolAddresses, SwapParams } from './amm.js';
export { poolAfterSwap, poolLeastIn, poolTrade } from './checked-maths.js';
export type { PoolState } from './maths.js';
export type { PoolReserves, PoolSide, PoolSwap, PoolTrade } from './trade.js';

/** The AMM that the graduation program opens pools with. */
export const AMM: Amm<PoolState> = {
  programId: amm.programId,
  addresses: amm.addresses,
  accounts: amm.accounts,
  decode: amm.decode,
  openingAccounts: amm.openingAccounts,
  openingFee: amm.openingFee,
  opensPools: amm.opensPools,
  swap: amm.swap,
  swaps: amm.swaps,
  pageOf: amm.pageOf,
  errorName: amm.errorName,
  isSlippage: amm.isSlippage,
};
