// A buy that the chain refused for its price is quoted again, and keeps the price bound of its first quote.
import { ProgramError } from '../errors.js';
import type { PoolBuyQuote } from '../market/pool-quotes.js';
import type { BuyQuote } from '../quotes.js';

/** What a buy may cost: `minTokenToReceive` for `solToSpend` lamports, or as much for each lamport of the last tokens. */
export interface PriceBound {
  readonly minTokenToReceive: bigint;
  /** Why the buy is quoted again. */
  readonly refusal: unknown;
}

/** The program rounds the price of a curve's last tokens up to a lamport, and the fee as well. */
const ROUNDED_LAMPORTS = 2n;

/**
 * The minimum to send a buy with again: the bound, so that the price does not drift from attempt to attempt. The last tokens of a curve
 * may cost two lamports more than the bound in all, because no minimum expresses the price of so few tokens.
 *
 * @param quote of this moment, without slippage
 * @throws ProgramError `SlippageError` when the price has got worse than the bound
 */
export function minimumWithin(bound: PriceBound, quote: BuyQuote | PoolBuyQuote): bigint {
  const { minTokenToReceive: now, solToSpend, tokenOut } = quote;
  const least = bound.minTokenToReceive;
  if (now >= least) return least;
  if ('clipped' in quote && quote.clipped) {
    if (tokenOut * solToSpend >= least * (quote.solSpent - ROUNDED_LAMPORTS)) return now;
  }
  throw new ProgramError(6003, {
    explanation: `${solToSpend} lamports buy at the price of ${now} token units now, and the slippage allows no fewer than ${least}; nothing was bought, quote again`,
    cause: bound.refusal,
  });
}
