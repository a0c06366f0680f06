// A token's candles, updated with later trades.
import { useEffect, useRef, type RefObject } from 'react';
import { useConfig } from '../config.js';
import { market } from '../market/api.js';
import type { Candle, Trade } from '../market/types.js';
import { useLoad, type Load } from '../market/use-load.js';
import { barOf, grow, type Bar } from './bars.js';

/** Receives new trades, once per frame. */
export type TradeFeed = RefObject<((trades: readonly Trade[]) => void) | undefined>;
/** Receives the changed bars. */
export type BarFeed = RefObject<((bars: readonly Bar[]) => void) | undefined>;

/** Length of a candle in seconds. */
export type Interval = 1 | 15 | 60 | 300 | 3600 | 86400;

export interface Bars {
  readonly candles: readonly Candle[];
  /** Updated in place, because a busy token must not render the page for each bar. */
  readonly bars: readonly Bar[];
}

interface Loading {
  /** Trades since the candles were requested. */
  readonly came: Trade[];
  bars?: Bar[];
}

export function useBars(
  mint: string,
  interval: Interval,
  { version, feed }: { readonly version: number; readonly feed: TradeFeed },
): Load<Bars> & { readonly changed: BarFeed } {
  const { supply } = useConfig();
  const changed: BarFeed = useRef(undefined);
  const loading = useRef<Loading>(undefined);
  const scale = { interval, supply };
  useEffect(() => {
    feed.current = (trades) => {
      const { bars, came } = loading.current ?? {};
      if (bars === undefined) came?.push(...trades);
      else changed.current?.(grow(bars, trades, scale));
    };
  });
  const load = useLoad<Bars>(`${mint} ${interval}`, async (options) => {
    // The browser's cache lacks the trades since the last request.
    const fresh = loading.current !== undefined;
    const mine: Loading = { came: [] };
    loading.current = mine;
    const { candles } = await market.candles(mint, { interval, limit: 500, ...options, fresh });
    const bars = candles.map(barOf);
    grow(bars, mine.came, scale);
    mine.bars = bars;
    return { candles, bars };
  });
  const { reload } = load;
  useEffect(() => {
    // The old chart stays until the new candles are loaded.
    if (version > 0) reload();
  }, [version, reload]);
  return { ...load, changed };
}
