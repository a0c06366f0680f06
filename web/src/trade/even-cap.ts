// Apart from the store of its result, because only a holding needs it.
import { positionOf, type TradedSums } from '@curvekit/sdk/quotes';
import { sdkMarket, withReserves, type QuotedMarket } from './quote.js';

/**
 * Looks for the reserves on the same constant product, by the exact quotes of sales with all their fees.
 *
 * @param supply token base units
 * @returns SOL; undefined when the wallet has received as much as it has paid
 */
export function evenCap(
  market: QuotedMarket,
  held: bigint,
  traded: Pick<TradedSums, 'paid' | 'received'>,
  supply: bigint,
): number | undefined {
  if (held === 0n || traded.received >= traded.paid) return undefined;
  const [sol, token] =
    market.venue === 'pool' ? [market.pool.sol, market.pool.token] : [market.virtualSol, market.virtualToken];
  const product = sol * token;
  const isEven = (reserve: bigint): boolean => {
    const there = withReserves(market, product / reserve, reserve);
    const { profit } = positionOf(sdkMarket(there), held, { ...traded, tokenAmount: held });
    return profit !== null && profit >= 0n;
  };
  // Fewer tokens in the reserve are a higher price.
  let [even, lossy] = [token / 1_000n, token * 1_000n];
  if (even === 0n || !isEven(even)) return undefined;
  while (lossy - even > token / 1_000_000n + 1n) {
    const middle = (even + lossy) / 2n;
    if (isEven(middle)) even = middle;
    else lossy = middle;
  }
  return Number((product * supply) / (even * even)) / 1e9;
}
