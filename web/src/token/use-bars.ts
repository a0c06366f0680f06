// A token's candles, updated with later trades.
import { useEffect, useRef } from 'react';
import { useConfig } from '../config.js';
import { market } from '../market/api.js';
import { useLoad, type Load } from '../market/use-load.js';
import { BarSeries } from './bar-series.js';
import type { TokenFeed } from './token-feed.js';

/** Length of a candle in seconds. */
export type Interval = 1 | 15 | 60 | 300 | 3600 | 86400;

export function useBars(mint: string, interval: Interval, feed: TokenFeed): Load<BarSeries> {
  const { supply } = useConfig();
  const newest = useRef<BarSeries>(undefined);
  const load = useLoad(`${mint} ${interval}`, async (options) => {
    // The browser's cache lacks the trades since the last request.
    const fresh = newest.current !== undefined;
    const series = new BarSeries({ interval, supply });
    newest.current = series;
    const { candles } = await market.candles(mint, { interval, limit: 500, ...options, fresh });
    series.fill(candles);
    return series;
  });
  const { reload } = load;
  useEffect(
    () =>
      feed.subscribe({
        onTrades: (trades) => newest.current?.add(trades),
        // The old chart stays until the new candles are loaded.
        onMissed: reload,
      }),
    [feed, reload],
  );
  return load;
}
