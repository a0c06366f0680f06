import { requireInteger, requireU64 } from '../checks/numbers.js';
import { BASIS_POINTS } from '../generated/constants.js';
import { leastAfterSlippage } from './maths.js';

/**
 * The least amount that a trader accepts: `⌈amount · (10,000 − slippageBps) / 10,000⌉`. Rounded up, so that it is never
 * below the tolerance.
 *
 * @throws InvalidArgumentError for an amount that is not a u64, or a slippage outside 0 to 10,000
 */
export function minimumAfterSlippage(amount: bigint, slippageBps: number): bigint {
  requireU64('amount', amount);
  requireInteger('slippageBps', slippageBps, BASIS_POINTS);
  return leastAfterSlippage(amount, slippageBps);
}

/**
 * The most that a trader pays: `⌊amount · (10,000 + slippageBps) / 10,000⌋`. Rounded down, so that it is never above
 * the tolerance. It can exceed a u64.
 *
 * @throws InvalidArgumentError for an amount that is not a u64, or a slippage outside 0 to 10,000
 */
export function maximumAfterSlippage(amount: bigint, slippageBps: number): bigint {
  const minimum = minimumAfterSlippage(amount, slippageBps);
  return 2n * amount - minimum;
}
