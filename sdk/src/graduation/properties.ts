// Checks whether curves that start with given properties can graduate by themselves.
import { requireU64 } from '../checks/numbers.js';
import { requireObject } from '../checks/options.js';
import { formatSol, formatTokens } from '../curve/price.js';
import type { Properties } from '../generated/accounts.js';
import {
  AFTER_MIGRATION_FEES,
  BASIS_POINTS,
  GRADUATION_VIRTUAL_TOKEN,
  TOKEN_SUPPLY,
} from '../generated/program.js';

/**
 * Upper limit of the cost of opening a pool: the AMM's fee at the program's limit, and rent for the pool's accounts.
 */
const MOST_COSTS = 345_000_000n;
/** With fewer lamports, integer rounding would change the closing price by more than a billionth. */
const LEAST_POOL_SOL = 1_000_000_000n;

/** Why curves with these properties cannot graduate at their closing price. Undefined when they can. */
export function graduationProblem(
  properties: Pick<Properties, 'initialVirtualSol' | 'initialVirtualToken'>,
): string | undefined {
  requireObject('properties', properties);
  const sol = requireU64('initialVirtualSol', properties.initialVirtualSol);
  const token = requireU64('initialVirtualToken', properties.initialVirtualToken);
  const closing = GRADUATION_VIRTUAL_TOKEN;
  // The curve's product is constant. Rounding favours the curve.
  const raised = (sol * token) / closing - sol;
  const largestShare = Math.max(...AFTER_MIGRATION_FEES);
  const afterShare = (raised * BigInt(BASIS_POINTS - largestShare)) / BigInt(BASIS_POINTS);
  if (afterShare - MOST_COSTS < LEAST_POOL_SOL) {
    return `a curve would raise ${formatSol(raised > 0n ? raised : 0n)} SOL: too little for a pool, which costs up to ${formatSol(MOST_COSTS)} SOL and needs ${formatSol(LEAST_POOL_SOL)} more; raise the virtual reserves`;
  }
  const left = TOKEN_SUPPLY - (token - closing);
  // Tokens that all the SOL buys at the closing price: raised · closing / (raised + sol).
  const needed = (raised * closing) / (raised + sol);
  if (needed > left) {
    return `a curve would have ${formatTokens(left)} tokens left for its pool, and needs ${formatTokens(needed)}: the pool would open above the closing price; lower the virtual token reserve`;
  }
  return undefined;
}
