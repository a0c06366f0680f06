import {
  CandlestickSeries,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { short } from '../format.js';
import { useShownTheme } from '../theme.js';
import { words } from '../words/words.js';
import type { BarSeries } from './bar-series.js';
import type { Bar } from './bars.js';
import { chartColours, chartOptions } from './chart-options.js';

interface ChartProps {
  readonly series: BarSeries;
  readonly interval: number;
  readonly label: string;
}

interface Shown {
  readonly chart: IChartApi;
  readonly candles: ISeriesApi<'Candlestick'>;
  readonly volume: ISeriesApi<'Histogram'>;
  series: BarSeries;
  /** Time of the candle under the pointer. */
  pointed: unknown;
  /** Seconds that the axis adds to show local time: the library writes UTC. */
  readonly shift: number;
  /** Whether nothing is drawn yet. */
  isNew: boolean;
}

const copy = words.tokenPage.chart;
/** Initial width of a bar in pixels, so that a few bars do not fill the chart. */
const BAR_WIDTH = 9;

export function Chart({ series, interval, label }: ChartProps) {
  const theme = useShownTheme();
  const box = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLParagraphElement>(null);
  const shown = useRef<Shown>(undefined);

  useEffect(() => {
    if (box.current === null) return undefined;
    const chart = createChart(box.current, chartOptions(interval));
    const shift = localShift(interval);
    const candles = chart.addSeries(CandlestickSeries, {
      borderVisible: false,
      // The space for the volume below the candles reaches beyond zero, where there is no market cap.
      priceFormat: {
        type: 'custom',
        minMove: 0.0001,
        formatter: (value: number) => (value > 0 ? short(value) : ''),
      },
    });
    const volume = chart.addSeries(HistogramSeries, {
      priceScaleId: '',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
    const now: Shown = { chart, candles, volume, series, pointed: undefined, isNew: true, shift };
    shown.current = now;
    chart.subscribeCrosshairMove(({ time }) => {
      now.pointed = time;
      say(legend.current, now);
    });
    return () => {
      shown.current = undefined;
      chart.remove();
    };
    // The effect below draws the bars, and other ones in the same chart, so that the visible range does not change.
  }, [interval]);

  useEffect(() => {
    const { current } = shown;
    if (current === undefined || box.current === null) return;
    const { up, down, options } = chartColours(box.current);
    current.chart.applyOptions(options);
    current.candles.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down });
    const { bars } = series;
    draw(current, bars);
    if (current.isNew) {
      const from = bars.length - box.current.clientWidth / BAR_WIDTH;
      current.chart.timeScale().setVisibleLogicalRange({ from, to: bars.length + 3 });
      current.isNew = false;
    }
    current.series = series;
    say(legend.current, current);
  }, [interval, theme, series]);

  useEffect(
    () =>
      series.subscribe((changed) => {
        const { current } = shown;
        if (current === undefined) return;
        for (const bar of changed) {
          current.candles.update(candleOf(current, bar));
          current.volume.update(volumeOf(current, bar));
        }
        say(legend.current, current);
      }),
    [series],
  );

  return (
    <>
      <div className="chart" ref={box} role="img" aria-label={label} data-testid="chart" />
      <p className="legend small" ref={legend} data-testid="legend" />
    </>
  );
}

/** Writes the numbers of the candle under the pointer, or else of the last one. Not drawn by Preact, because it is called for each trade. */
function say(legend: HTMLElement | null, { series: { bars }, pointed, shift }: Shown): void {
  if (legend === null) return;
  const bar = bars.findLast(({ time }) => time + shift === pointed) ?? bars.at(-1);
  legend.textContent =
    bar === undefined ? '' : copy.legend([bar.open, bar.high, bar.low, bar.close, bar.volume].map(short));
}

function draw(shown: Shown, all: readonly Bar[]): void {
  shown.candles.setData(all.map((bar) => candleOf(shown, bar)));
  shown.volume.setData(all.map((bar) => volumeOf(shown, bar)));
}

/** One offset for all bars: with that of each, an hour would come twice where summer time ends. Days are those of UTC. */
const localShift = (interval: number) => (interval < 86_400 ? -60 * new Date().getTimezoneOffset() : 0);

const candleOf = ({ shift }: Shown, { time, open, high, low, close }: Bar) => ({
  time: (time + shift) as UTCTimestamp,
  open,
  high,
  low,
  close,
});

function volumeOf({ candles, shift }: Shown, { time, open, close, volume }: Bar) {
  const { upColor, downColor } = candles.options();
  const colour = close >= open ? upColor : downColor;
  return {
    time: (time + shift) as UTCTimestamp,
    value: volume,
    color: colour.replace(/^rgb\((.*)\)$/, 'rgba($1, 0.3)'),
  };
}
