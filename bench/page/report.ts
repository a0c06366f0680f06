// The report of the page benchmark, and its limits.
import { numberColumns, type Figures } from '../driver/scenario.js';
import type { Opening } from './opening.js';
import type { Memory } from './watch.js';
import { percentile } from '../driver/statistics.js';

export interface Busy {
  /** Written trades per second. */
  readonly perSecond: number;
  readonly frames: number;
  readonly medianFrameMs: number;
  readonly p95FrameMs: number;
  readonly longestFrameMs: number;
  /** Milliseconds from the commit of a trade to its row, for sampled trades. */
  readonly delays: readonly number[];
  /** Share of a core that the page's main thread used. */
  readonly busyShare: number;
  readonly before: Memory;
  readonly after: Memory;
}

export interface Result {
  readonly minutes: number;
  /** Wanted trades per second. */
  readonly perSecond: number;
  /** Milliseconds from the confirmation of a real trade to its row. */
  readonly delays: readonly number[];
  readonly busy: Busy;
  /** Openings by page. */
  readonly opened: Readonly<Record<string, readonly Opening[]>>;
}

const MOST_FRAME_MS = 20;
const MOST_DELAY_MS = 300;
const MOST_GROWTH_BYTES = 10_000_000;
/** Allows for garbage of the engine and the observer. The number of rows must not grow. */
const MOST_NEW_NODES = 500;
const MOST_LCP_MS = 2_500;
const MOST_CLS = 0.02;
/** Minimum share of the wanted rate. Below it, the frame times are not valid. */
const LEAST_RATE = 0.95;
const MEBIBYTE = 1_048_576;

export const limits = () =>
  `a trade's row ${MOST_DELAY_MS} ms after its confirmation (median), a frame ${MOST_FRAME_MS} ms (p95), the heap ` +
  `${MOST_GROWTH_BYTES / 1_000_000} MB more, LCP ${MOST_LCP_MS} ms, CLS ${MOST_CLS}`;

interface Row {
  readonly what: string;
  readonly value: number;
  readonly show: (value: number) => string;
  readonly limit?: number;
  /** Whether the limit is a minimum instead of a maximum. */
  readonly isLeast?: boolean;
}

const of = (elements = '') => (elements === '' ? '' : ` (${elements})`);
const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
const mebibytes = (value: number) => `${(value / MEBIBYTE).toFixed(1)} MiB`;
const whole = (value: number) => value.toFixed(0);

function rowsOf({ delays, busy, opened, perSecond }: Result): Row[] {
  const { before, after } = busy;
  const at = (of: readonly number[], share: number) => percentile(of, share) ?? NaN;
  return [
    {
      what: 'real trade, confirmed until its row: median',
      value: at(delays, 0.5),
      show: milliseconds,
      limit: MOST_DELAY_MS,
    },
    { what: 'p95', value: at(delays, 0.95), show: milliseconds },
    {
      what: 'trades a second',
      value: busy.perSecond,
      show: whole,
      limit: perSecond * LEAST_RATE,
      isLeast: true,
    },
    { what: 'frame: median', value: busy.medianFrameMs, show: milliseconds },
    { what: 'p95', value: busy.p95FrameMs, show: milliseconds, limit: MOST_FRAME_MS },
    { what: 'longest', value: busy.longestFrameMs, show: milliseconds },
    {
      what: "page's main thread, of a core",
      value: busy.busyShare,
      show: (share) => `${(share * 100).toFixed(0)} %`,
    },
    {
      what: 'trade, committed until its row: median',
      value: at(busy.delays, 0.5),
      show: milliseconds,
      limit: MOST_DELAY_MS,
    },
    { what: 'heap at first', value: before.heapBytes, show: mebibytes },
    {
      what: 'more at the end',
      value: after.heapBytes - before.heapBytes,
      show: mebibytes,
      limit: MOST_GROWTH_BYTES,
    },
    { what: 'DOM nodes at first', value: before.nodes, show: whole },
    { what: 'more at the end', value: after.nodes - before.nodes, show: whole, limit: MOST_NEW_NODES },
    ...Object.entries(opened).flatMap(([page, openings]): Row[] => {
      const lcp = openings.map(({ lcpMs }) => lcpMs);
      const cls = openings.map((opening) => opening.cls);
      return [
        {
          what: `${page}: LCP${of(openings[0]?.largest)}`,
          value: at(lcp, 0.5),
          show: milliseconds,
          limit: MOST_LCP_MS,
        },
        {
          what: `${page}: CLS${of(openings[0]?.moved)}`,
          value: at(cls, 0.5),
          show: (value) => value.toFixed(3),
          limit: MOST_CLS,
        },
      ];
    }),
  ];
}

/** NaN means that a figure was not measured, which is a problem too. */
const isWithin = ({ value, limit, isLeast = false }: Row) =>
  limit === undefined || (isLeast ? value >= limit : value <= limit);

export function problemsOf(result: Result): string[] {
  return rowsOf(result)
    .filter((row) => !isWithin(row))
    .map(({ what, value, show, limit = 0 }) => `${what}: ${show(value)}, and the limit is ${show(limit)}`);
}

export function figures(result: Result): Figures {
  const { minutes, perSecond, busy, delays } = result;
  return {
    title: `${delays.length} real trades, ${perSecond} a second for ${minutes} minutes (${busy.frames} frames)`,
    columns: numberColumns('what', ['measured'], ['limit']),
    rows: rowsOf(result).map((row) => ({
      cells: [row.what, row.show(row.value), row.limit === undefined ? '' : row.show(row.limit)],
    })),
  };
}
