// A buy that the chain refused because of its price is quoted again, with the price limit of its first quote.
import { leastAfterSlippage } from '../curve/maths.js';
import { ProgramError } from '../errors/index.js';
import type { PoolBuyQuote } from '../venue/quoting.js';
import type { BuyQuote } from '../venue/quotes.js';

/**
 * The price limit of a buy: `minTokenToReceive` for `solToSpend` lamports. The last tokens have the same limit per
 * lamport.
 */
export interface PriceBound {
  readonly minTokenToReceive: bigint;
  /** Why the buy is quoted again. */
  readonly refusal: unknown;
}

/** The program rounds both the price of a curve's last tokens and the fee up to a lamport. */
const ROUNDED_LAMPORTS = 2n;

/**
 * The minimum for resending a buy: the limit of the first quote, so that the price does not drift between attempts. The
 * last tokens of a curve may cost two lamports more than the limit in total, because no minimum can express the price
 * of so few tokens.
 *
 * @param quote the current quote, without slippage
 * @param slippageBps of the current price, which may be better than the first. Undefined with a limit of the user's own
 * @throws ProgramError `SlippageError` when the price is worse than the limit
 */
export function minimumWithin(
  bound: PriceBound,
  quote: BuyQuote | PoolBuyQuote,
  slippageBps?: number,
): bigint {
  const { minTokenToReceive: now, solToSpend, tokenOut } = quote;
  const least = bound.minTokenToReceive;
  const ofToday = slippageBps === undefined ? 0n : leastAfterSlippage(now, slippageBps);
  if (now >= least) return ofToday > least ? ofToday : least;
  if ('clipped' in quote && quote.clipped) {
    if (tokenOut * solToSpend >= least * (quote.solSpent - ROUNDED_LAMPORTS)) return now;
  }
  throw new ProgramError(6003, {
    explanation: `${solToSpend} lamports buy at the price of ${now} token units now, and the slippage allows no fewer than ${least}; nothing was bought, quote again`,
    cause: bound.refusal,
  });
}
