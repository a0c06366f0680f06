// What the listed tokens were worth before, once a minute. A list is drawn without it first.
import { useEffect, useRef, useState } from 'react';
import type { TokenPrices } from '@curvekit/sdk/market';
import { market } from '../market/api.js';
import type { TokenSummary } from '../market/types.js';

export const WINDOWS = ['24h', '1h', '5m'] as const;
export type Window = (typeof WINDOWS)[number];
export const SECONDS: Readonly<Record<Window, number>> = { '24h': 86_400, '1h': 3_600, '5m': 300 };
const REFRESH_MS = 60_000;
/** Of one request. */
const MOST = 50;

export function usePrices(tokens: readonly TokenSummary[]): ReadonlyMap<string, TokenPrices> {
  const [prices, setPrices] = useState<ReadonlyMap<string, TokenPrices>>(new Map());
  const known = useRef(prices);
  known.current = prices;
  const all = tokens.map(({ mint }) => mint).join();
  useEffect(() => {
    const read = async (mints: readonly string[]) => {
      for (let at = 0; at < mints.length; at += MOST) {
        const { items } = await market.prices({ mints: mints.slice(at, at + MOST) });
        setPrices((before) => new Map([...before, ...items.map((each) => [each.mint, each] as const)]));
      }
    };
    // Without them a row has no line, until the next minute.
    const quietly = (mints: readonly string[]) => void read(mints).catch(() => undefined);
    const mints = all.split(',');
    quietly(mints.filter((mint) => !known.current.has(mint)));
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') quietly(mints);
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [all]);
  return prices;
}

/** The change and the volume of a window. Undefined until they are known. */
export function inWindow(token: TokenSummary, prices: TokenPrices | undefined, window: Window) {
  if (window === '24h') return { change: token.change24hBps, volume: token.volume24h };
  if (prices === undefined) return undefined;
  const [before, volume] =
    window === '1h' ? [prices.marketCap1h, prices.volume1h] : [prices.marketCap5m, prices.volume5m];
  return { change: movedBps(before, token.marketCap), volume };
}

/** Basis points from one market cap to another, rounded down. */
export const movedBps = (before: string, now: string): number =>
  Number((BigInt(now) * 10_000n) / BigInt(before) - 10_000n);
