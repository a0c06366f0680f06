// Marks of one's own trades and of the creator's on the chart: a triangle at the price, up for a buy, down for a sell. A
// primitive of the chart, because the library's own markers are five times as large.
import type { IChartApi, ISeriesApi, ISeriesPrimitive, Time, UTCTimestamp } from 'lightweight-charts';
import { useEffect } from 'react';
import { useConfig } from '../config.js';
import { market } from '../market/api.js';
import type { Trade } from '../market/types.js';
import { capOf } from './bars.js';
import { useLiveTrades } from './live-trades.js';
import type { TokenFeed } from './token-feed.js';

const MOST = 200;
const HALF = 5;

interface MarksProps {
  readonly chart: IChartApi;
  readonly candles: ISeriesApi<'Candlestick'>;
  /** Seconds of a candle, and what the axis adds to show local time. */
  readonly interval: number;
  readonly shift: number;
  readonly mint: string;
  readonly trader: string;
  readonly colour: string;
  readonly feed: TokenFeed;
}

export default function Marks({ chart, candles, interval, shift, mint, trader, colour, feed }: MarksProps) {
  const { supply } = useConfig();
  const isAdded = (trade: Trade) => trade.trader === trader;
  const { data } = useLiveTrades(`${mint} ${trader}`, feed, isAdded, (options) =>
    market.tokenTrades(mint, { trader, limit: MOST, ...options }),
  );
  const items = data?.items;
  useEffect(() => {
    if (items === undefined) return undefined;
    const draw = (context: CanvasRenderingContext2D) => {
      context.fillStyle = colour;
      // Apart from a candle of a similar brightness.
      context.strokeStyle = 'rgba(0, 0, 0, 0.6)';
      for (const trade of items) {
        const time = Math.floor(trade.timestamp / interval) * interval + shift;
        const x = chart.timeScale().timeToCoordinate(time as UTCTimestamp);
        const y = candles.priceToCoordinate(capOf(trade, supply));
        if (x !== null && y !== null) triangle(context, x, y, trade.isBuy);
      }
    };
    const marks: ISeriesPrimitive<Time> = {
      paneViews: () => [
        {
          zOrder: () => 'top',
          renderer: () => ({
            draw: (target) => target.useMediaCoordinateSpace(({ context }) => draw(context)),
          }),
        },
      ],
    };
    candles.attachPrimitive(marks);
    // Draws them now, not with the next trade.
    chart.applyOptions({});
    return () => candles.detachPrimitive(marks);
  }, [chart, candles, interval, shift, items, colour, supply]);
  return null;
}

/** Below the price for a buy, above it for a sell. */
function triangle(context: CanvasRenderingContext2D, x: number, y: number, isBuy: boolean): void {
  const base = y + (isBuy ? 2 : -2) * HALF;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - HALF, base);
  context.lineTo(x + HALF, base);
  context.closePath();
  context.fill();
  context.stroke();
}
