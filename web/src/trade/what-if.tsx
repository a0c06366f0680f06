// "What if they sell?": the price, and what the wallet's tokens would pay, after a sale by the largest holders.
import { useEffect, useState } from 'react';
import { positionOf, quoteSell } from '@curvekit/sdk/quotes';
import { percent, sol, tokens } from '../format.js';
import type { TokenSummary } from '../market/types.js';
import { isPerson, useHolders } from '../token/use-holders.js';
import { whatIfWords as copy } from '../words/trade-details.js';
import { words } from '../words/words.js';
import { sdkMarket, withReserves, type QuotedMarket } from './quote.js';

interface WhatIfProps {
  readonly token: TokenSummary;
  readonly market: QuotedMarket;
  readonly wallet: string | undefined;
  /** Token base units that the wallet can sell. */
  readonly held: bigint;
  /** Called with the token reserve after the sale, which the curve shows. */
  readonly onReserve: (tokenAfter: bigint | undefined) => void;
}

const LARGEST = [1, 3, 10];
const BASIS_POINTS = 10_000n;

export default function WhatIf({ token, market, wallet, held, onReserve }: WhatIfProps) {
  const { data, problem } = useHolders(token);
  const [chosen, choose] = useState(0);
  const others = (data?.items ?? []).filter((one) => isPerson(one) && one.wallet !== wallet);
  const groups = [
    { who: copy.creator, sellers: others.filter(({ is }) => is === 'creator') },
    ...LARGEST.filter((count) => count <= others.length || count === 1).map((count) => ({
      who: copy.largest(count),
      sellers: others.slice(0, count),
    })),
  ].filter(({ sellers }) => sellers.length > 0);
  const group = groups[Math.min(chosen, groups.length - 1)];
  const sold = group?.sellers.reduce((sum, { amount }) => sum + BigInt(amount), 0n) ?? 0n;
  const after = sold === 0n ? undefined : afterSale(market, sold, held);
  useEffect(() => onReserve(after?.tokenReserve), [after?.tokenReserve, onReserve]);
  useEffect(() => () => onReserve(undefined), [onReserve]);
  if (data === undefined)
    return <p className="muted small">{problem === undefined ? copy.reading : copy.unread}</p>;
  if (group === undefined || after === undefined) return <p className="muted small">{copy.nobody}</p>;
  const { fallBps, solOut, worth } = after;
  return (
    <div className="what-if">
      {groups.length > 1 && (
        <input
          type="range"
          min={0}
          max={groups.length - 1}
          value={Math.min(chosen, groups.length - 1)}
          aria-label={words.trade.whatIf}
          aria-valuetext={group.who}
          onChange={(event) => choose(Number(event.target.value))}
        />
      )}
      <p className="small" role="status" data-testid="what-if">
        {held > 0n
          ? copy.yours(group.who, percent(fallBps), tokens(held), sol(worth))
          : copy.theirs(group.who, percent(fallBps), sol(solOut))}
      </p>
    </div>
  );
}

/** @returns undefined when the list of holders is older than the market, so that they cannot sell as much */
function afterSale(market: QuotedMarket, sold: bigint, held: bigint) {
  try {
    const quote = quoteSell(sdkMarket(market), sold);
    const { priceBefore, priceAfter, solOut } = quote;
    const later = withReserves(market, priceAfter.lamports, priceAfter.tokenUnits);
    const left = priceAfter.lamports * priceBefore.tokenUnits * BASIS_POINTS;
    const fallBps = Number(BASIS_POINTS - left / (priceBefore.lamports * priceAfter.tokenUnits));
    const { saleValue } = positionOf(sdkMarket(later), held, {
      tokenAmount: held,
      paid: 0n,
      received: 0n,
    });
    return { fallBps, solOut, worth: saleValue ?? 0n, tokenReserve: priceAfter.tokenUnits };
  } catch {
    return undefined;
  }
}
