import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { useConfig } from '../config.js';
import type { Candle, Trade } from '../market/types.js';
import { useShownTheme } from '../theme.js';
import { barOf, grown, type Bar } from './bars.js';
import { chartColours, chartOptions } from './chart-options.js';

interface ChartProps {
  readonly candles: readonly Candle[];
  readonly interval: number;
  /** Trades that have just come. */
  readonly fresh: readonly Trade[];
  readonly label: string;
}

interface Shown {
  readonly chart: IChartApi;
  readonly bars: ISeriesApi<'Candlestick'>;
  readonly volume: ISeriesApi<'Histogram'>;
  last: Bar | undefined;
}

/** Pixels of a bar at first: few trades do not stretch to slabs. */
const BAR_WIDTH = 9;

export function Chart({ candles, interval, fresh, label }: ChartProps) {
  const { supply } = useConfig();
  const theme = useShownTheme();
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef<Shown>(undefined);
  const initial = useRef(candles);

  useEffect(() => {
    if (box.current === null) return undefined;
    const chart = createChart(box.current, chartOptions(interval));
    const bars = chart.addSeries(CandlestickSeries, {
      borderVisible: false,
      priceFormat: { type: 'custom', minMove: 0.0001, formatter: (value: number) => value.toPrecision(4) },
    });
    const volume = chart.addSeries(HistogramSeries, {
      priceScaleId: '',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
    const all = initial.current.map(barOf);
    shown.current = { chart, bars, volume, last: all.at(-1) };
    draw(shown.current, all);
    chart
      .timeScale()
      .setVisibleLogicalRange({ from: all.length - box.current.clientWidth / BAR_WIDTH, to: all.length + 3 });
    return () => {
      shown.current = undefined;
      chart.remove();
    };
  }, [interval]);

  useEffect(() => {
    const { current } = shown;
    if (current === undefined || box.current === null) return;
    const { up, down, options } = chartColours(box.current);
    current.chart.applyOptions(options);
    current.bars.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down });
    draw(current, current.last === undefined ? [] : barsOf(current));
  }, [theme, interval]);

  useEffect(() => {
    const { current } = shown;
    if (current === undefined) return;
    for (const trade of fresh) {
      const bar = grown(current.last, trade, { interval, supply });
      if (bar === undefined) continue;
      current.last = bar;
      current.bars.update({ ...bar, time: bar.time as UTCTimestamp });
      current.volume.update(volumeOf(current, bar));
    }
  }, [fresh, interval, supply]);

  return <div className="chart" ref={box} role="img" aria-label={label} data-testid="chart" />;
}

function draw(shown: Shown, all: readonly Bar[]): void {
  shown.bars.setData(all.map((bar) => ({ ...bar, time: bar.time as UTCTimestamp })));
  shown.volume.setData(all.map((bar) => volumeOf(shown, bar)));
}

function volumeOf({ bars }: Shown, { time, open, close, volume }: Bar) {
  const { upColor, downColor } = bars.options();
  const colour = close >= open ? upColor : downColor;
  return {
    time: time as UTCTimestamp,
    value: volume,
    color: colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.3)'),
  };
}

function barsOf({ bars, volume }: Shown): Bar[] {
  const volumes = new Map(volume.data().map((each) => [each.time, (each as { value?: number }).value ?? 0]));
  return bars.data().flatMap((bar) =>
    'open' in bar
      ? [
          {
            time: bar.time as number,
            open: bar.open,
            high: bar.high,
            low: bar.low,
            close: bar.close,
            volume: volumes.get(bar.time) ?? 0,
          },
        ]
      : [],
  );
}
