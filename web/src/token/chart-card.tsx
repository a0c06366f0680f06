import { useEffect, useRef, useState } from 'react';
import { displayText } from '../format.js';
import type { TokenSummary } from '../market/types.js';
import { part } from '../part.js';
import { Failed, Notice } from '../parts/notice.js';
import { storage } from '../storage.js';
import { useEven } from '../trade/even.js';
import { useAccount } from '../wallet/store.js';
import { words } from '../words/words.js';
import { Chart } from './chart.js';
import type { TokenFeed } from './token-feed.js';
import { useConfig } from '../config.js';
import { market } from '../market/api.js';
import { type Load, useLoad } from '../market/use-load.js';
import { BarSeries } from './bar-series.js';

const ChartTable = part(() => import('./chart-table.js'));
const INTERVALS: readonly Interval[] = [1, 15, 60, 300, 3600, 86400];
const KEY = 'curvekit:interval';
const AXIS_KEY = 'curvekit:axis';
const TOKEN_UNITS = 1_000_000;
const MARKED = ['mine', 'creator'] as const;
type Marked = (typeof MARKED)[number];
const COLOURS: Readonly<Record<Marked, string>> = { mine: '--info', creator: '--gold' };
const copy = words.tokenPage.chart;

interface ChartCardProps {
  readonly token: TokenSummary;
  readonly feed: TokenFeed;
}

export default function ChartCard({ token, feed }: ChartCardProps) {
  const { mint } = token;
  const [interval, setInterval] = useState<Interval>(keptInterval);
  const [asTable, setAsTable] = useState(false);
  const { supply } = useConfig();
  const [axis, setAxis] = useState<keyof typeof copy.axes>(() =>
    storage.getItem(AXIS_KEY) === 'price' ? 'price' : 'cap',
  );
  const other = axis === 'cap' ? 'price' : 'cap';
  const { data, problem, reload } = useBars(mint, interval, feed);
  const even = useEven(mint);
  const wallet = useAccount()?.address;
  const [marks, setMarks] = useState<readonly Marked[]>(['mine']);
  const traders = { mine: wallet, creator: token.creator };
  const marked = MARKED.flatMap((who) => {
    const trader = marks.includes(who) ? traders[who] : undefined;
    return trader === undefined ? [] : [{ trader, colour: COLOURS[who] }];
  });
  const toggle = (who: Marked) =>
    setMarks(marks.includes(who) ? marks.filter((each) => each !== who) : [...marks, who]);
  const card = useRef<HTMLElement>(null);
  const choose = (seconds: Interval) => {
    setInterval(seconds);
    storage.setItem(KEY, String(seconds));
  };
  return (
    <section className="card chart-card" ref={card} aria-label={copy.titles.cap}>
      <div className="chart-top">
        <div className="tabs fine" role="group" aria-label={copy.interval}>
          {INTERVALS.map((each) => (
            <button key={each} type="button" aria-pressed={each === interval} onClick={() => choose(each)}>
              {copy.intervals[each]}
            </button>
          ))}
        </div>
        <div className="tabs fine marks" role="group" aria-label={copy.marks}>
          {MARKED.filter((who) => traders[who] !== undefined).map((who) => (
            <button key={who} type="button" aria-pressed={marks.includes(who)} onClick={() => toggle(who)}>
              <span style={{ color: `var(${COLOURS[who]})` }} aria-hidden="true">
                ▲
              </span>{' '}
              {words.tokenPage.filters[who]}
            </button>
          ))}
        </div>
        <span className="muted small chart-title">{copy.titles[axis]}</span>
        {!asTable && (
          <button
            type="button"
            className="link small"
            onClick={() => {
              setAxis(other);
              storage.setItem(AXIS_KEY, other);
            }}
          >
            {copy.axes[other]}
          </button>
        )}
        <button type="button" className="link small" onClick={() => setAsTable(!asTable)}>
          {asTable ? copy.asChart : copy.asTable}
        </button>
        {document.fullscreenEnabled && (
          <button type="button" className="link small fill" onClick={() => void fillScreen(card.current)}>
            {copy.fullScreen}
          </button>
        )}
      </div>
      <div className="chart-body">
        {problem !== undefined && data === undefined && (
          <Failed title={copy.failed} problem={problem} onRetry={reload} />
        )}
        {data !== undefined && asTable && <ChartTable candles={data.candles} />}
        {data !== undefined && !asTable && (
          <Chart
            key={`${mint} ${interval}`}
            series={data}
            interval={interval}
            {...{ even, mint, feed, marked }}
            label={copy.label(displayText(token.symbol), copy.titles[axis])}
            per={axis === 'cap' ? 1 : Number(supply) / TOKEN_UNITS}
          />
        )}
        {data?.candles.length === 0 && token.trades === 0 && !asTable && (
          <div className="chart-empty">
            <Notice title={copy.empty} />
          </div>
        )}
      </div>
      <p className="credit">
        <a href="https://www.tradingview.com/" rel="noreferrer" target="_blank">
          {copy.credit}
        </a>
      </p>
    </section>
  );
}

/** Fills the screen, or leaves it again. */
const fillScreen = async (card: HTMLElement | null) =>
  document.fullscreenElement === null ? card?.requestFullscreen() : document.exitFullscreen();

function keptInterval(): Interval {
  const kept = Number(storage.getItem(KEY));
  return INTERVALS.find((each) => each === kept) ?? 15;
}

/** Length of a candle in seconds. */
type Interval = 1 | 15 | 60 | 300 | 3600 | 86400;

function useBars(mint: string, interval: Interval, feed: TokenFeed): Load<BarSeries> {
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
