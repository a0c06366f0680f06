import { BASIS_POINTS } from './generated/constants.js';
import { requireInteger, requireU64 } from './numbers.js';

/**
 * The least amount that a trader accepts: `⌈amount · (10,000 − slippageBps) / 10,000⌉`. Rounded up, so that it is never
 * below the tolerance.
 *
 * @throws InvalidArgumentError for an amount that is not a u64, or a slippage outside 0 to 10,000
 */
export function minimumAfterSlippage(amount: bigint, slippageBps: number): bigint {
  requireU64('amount', amount);
  requireInteger('slippageBps', slippageBps, BASIS_POINTS);
  if (slippageBps === 0) return amount;
  const whole = BigInt(BASIS_POINTS);
  return (amount * (whole - BigInt(slippageBps)) + whole - 1n) / whole;
}

/**
 * The most that a trader pays: `⌊amount · (10,000 + slippageBps) / 10,000⌋`. Rounded down, so that it is never above
 * the tolerance. It can exceed a u64.
 *
 * @throws InvalidArgumentError for an amount that is not a u64, or a slippage outside 0 to 10,000
 */
export function maximumAfterSlippage(amount: bigint, slippageBps: number): bigint {
  return 2n * amount - minimumAfterSlippage(amount, slippageBps);
}
