import {
  CandlestickSeries,
  createChart,
  type DeepPartial,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  PriceScaleMode,
  TickMarkType,
  type Time,
  type TimeChartOptions,
  type UTCTimestamp,
} from 'lightweight-charts';
import { useEffect, useRef, useState } from 'react';
import { short } from '../format.js';
import { part } from '../part.js';
import { useShownTheme } from '../theme.js';
import { months } from '../words/times.js';
import { words } from '../words/words.js';
import type { BarSeries } from './bar-series.js';
import type { Bar } from './bars.js';
import type { TokenFeed } from './token-feed.js';

interface ChartProps {
  readonly series: BarSeries;
  readonly interval: number;
  readonly label: string;
  /** What the axis divides a market cap by: 1, or the supply for the price of a token. */
  readonly per: number;
  /** The market cap in SOL at which the wallet's own holding pays back what was paid. */
  readonly even: number | undefined;
  readonly mint: string;
  readonly feed: TokenFeed;
  /** Whose trades are marked, in which colour: the name of a CSS variable. */
  readonly marked: readonly { readonly trader: string; readonly colour: string }[];
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
  per: number;
  /** Whether nothing is drawn yet. */
  isNew: boolean;
}

const Marks = part(() => import('./chart-marks.js'));
const copy = words.tokenPage.chart;
/** Initial width of a bar in pixels, at least. */
const BAR_WIDTH = 9;
/** Fewer bars do not fill the chart. */
const LEAST_BARS = 24;
/** The axis is logarithmic when the highest price is as many times the lowest. */
const LOGARITHMIC_FROM = 10;

export function Chart({ series, interval, label, per, even, mint, feed, marked }: ChartProps) {
  const theme = useShownTheme();
  const box = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLParagraphElement>(null);
  const shown = useRef<Shown>(undefined);
  const [drawn, setDrawn] = useState<Shown>();

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
        formatter: (value: number) => (value > 0 ? short(value / (shown.current?.per ?? per)) : ''),
      },
    });
    const volume = chart.addSeries(HistogramSeries, {
      priceScaleId: '',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
    const now: Shown = { chart, candles, volume, series, pointed: undefined, isNew: true, shift, per };
    shown.current = now;
    setDrawn(now);
    chart.subscribeCrosshairMove(({ time }) => {
      now.pointed = time;
      say(legend.current, now);
    });
    return () => {
      shown.current = undefined;
      setDrawn(undefined);
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
      const fitting = box.current.clientWidth / BAR_WIDTH;
      const from = bars.length - Math.min(fitting, Math.max(bars.length, LEAST_BARS));
      current.chart.timeScale().setVisibleLogicalRange({ from, to: bars.length + 3 });
      const [low, high] = [Math.min(...bars.map((bar) => bar.low)), Math.max(...bars.map((bar) => bar.high))];
      // Else all but the last rise is a flat line.
      if (high > low * LOGARITHMIC_FROM)
        current.candles.priceScale().applyOptions({ mode: PriceScaleMode.Logarithmic });
      current.isNew = false;
    }
    Object.assign(current, { series, per });
    // Writes the axis anew.
    current.candles.applyOptions({});
    say(legend.current, current);
  }, [interval, theme, series, per]);

  useEffect(() => {
    const { current } = shown;
    if (current === undefined || box.current === null || even === undefined) return undefined;
    const color = resolved(box.current, 'var(--gold)');
    const line = current.candles.createPriceLine({ price: even, color, lineWidth: 1, title: copy.even });
    return () => {
      if (shown.current === current) current.candles.removePriceLine(line);
    };
  }, [interval, theme, even]);

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
      <div
        className="chart"
        ref={box}
        role="img"
        aria-label={even === undefined ? label : copy.withEven(label, short(even / per))}
        data-testid="chart"
      />
      <p className="legend small" ref={legend} data-testid="legend" />
      {drawn !== undefined &&
        marked.map(({ trader, colour }) => (
          <Marks
            key={colour}
            {...{ interval, mint, feed, trader }}
            chart={drawn.chart}
            candles={drawn.candles}
            shift={drawn.shift}
            colour={resolved(box.current!, `var(${colour})`)}
          />
        ))}
    </>
  );
}

/** Writes the numbers of the candle under the pointer, or else of the last one. Not drawn by Preact, because it is called for each trade. */
function say(legend: HTMLElement | null, { series: { bars }, pointed, shift, per }: Shown): void {
  if (legend === null) return;
  const bar = bars.findLast(({ time }) => time + shift === pointed) ?? bars.at(-1);
  legend.textContent =
    bar === undefined
      ? ''
      : copy.legend([
          ...[bar.open, bar.high, bar.low, bar.close].map((cap) => short(cap / per)),
          short(bar.volume),
        ]);
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

function chartOptions(interval: number): DeepPartial<TimeChartOptions> {
  return {
    autoSize: true,
    layout: {
      background: { color: 'transparent' },
      fontFamily: "Inter, 'Inter Fallback', sans-serif",
      fontSize: 11,
      // The library's logo needs an inline style. The page names TradingView as text instead.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false } },
    timeScale: {
      timeVisible: interval < 86_400,
      secondsVisible: interval < 60,
      borderVisible: false,
      barSpacing: 10,
      minBarSpacing: 2,
      tickMarkFormatter: tickText,
    },
    rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.2 } },
    handleScroll: { vertTouchDrag: false },
  };
}

/** As the library writes it, without the slow first use of `Intl`. */
function tickText(time: Time, type: TickMarkType): string {
  const at = new Date(Number(time) * 1_000);
  const text = at.toISOString();
  switch (type) {
    case TickMarkType.Year:
      return text.slice(0, 4);
    case TickMarkType.Month:
      return months[at.getUTCMonth()]!;
    case TickMarkType.DayOfMonth:
      return String(at.getUTCDate());
    case TickMarkType.Time:
      return text.slice(11, 16);
    case TickMarkType.TimeWithSeconds:
      return text.slice(11, 19);
  }
}

/** Colours of the current theme. A canvas cannot use CSS variables. */
function chartColours(element: Element) {
  const colour = (name: string) => resolved(element, `var(${name})`);
  const line = colour('--line');
  const strong = colour('--line-strong');
  const options: DeepPartial<TimeChartOptions> = {
    layout: { textColor: colour('--muted') },
    grid: { horzLines: { color: line } },
    crosshair: {
      vertLine: { color: strong, labelBackgroundColor: strong },
      horzLine: { color: strong, labelBackgroundColor: strong },
    },
  };
  return { up: colour('--up'), down: colour('--down'), options };
}

function resolved(element: Element, value: string): string {
  const probe = document.createElement('span');
  // With forced colours, every text has the same one.
  probe.style.forcedColorAdjust = 'none';
  probe.style.color = value;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
