import { requireObject } from '../checks/options.js';
import type { Properties } from '../generated/accounts.js';
import { quoteBuy, type BuyQuote } from '../venue/quotes.js';

/** A buy in the transaction that creates the token. */
export interface FirstBuyQuote extends BuyQuote {
  /** The `firstBuy` of `createToken`. */
  readonly firstBuy: { readonly solToSpend: bigint; readonly minTokenToReceive: bigint };
}

/**
 * Quotes the creator's first buy. No trade can precede it, so the quote is exact unless the admin changes the
 * properties in the meantime. Then, without `slippageBps`, the launch fails instead of buying less.
 *
 * @param properties as `fetchProperties` reads them
 * @throws as `quoteBuy`
 */
export function quoteFirstBuy(properties: Properties, solToSpend: bigint, slippageBps = 0): FirstBuyQuote {
  requireObject('properties', properties);
  const { initialVirtualSol, initialVirtualToken, platformFeeBps } = properties;
  const curve = { virtualSol: initialVirtualSol, virtualToken: initialVirtualToken, platformFeeBps };
  const quote = quoteBuy(curve, solToSpend, slippageBps);
  const { minTokenToReceive } = quote;
  return { ...quote, firstBuy: { solToSpend: quote.solToSpend, minTokenToReceive } };
}
