// Candles for the chart: market cap and volume in SOL.
import type { Candle, Trade } from '../market/types.js';

export interface Bar {
  /** Start time in Unix seconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const LAMPORTS_PER_SOL = 1e9;
const inSol = (lamports: string) => Number(lamports) / LAMPORTS_PER_SOL;

export function barOf([time, open, high, low, close, volume]: Candle): Bar {
  return {
    time,
    open: inSol(open),
    high: inSol(high),
    low: inSol(low),
    close: inSol(close),
    volume: inSol(volume),
  };
}

export interface Scale {
  /** Length of a candle in seconds. */
  readonly interval: number;
  /** Supply in token base units. */
  readonly supply: string;
}

/** Adds trades to bars. @returns each changed bar once, however many trades it has */
export function grow(bars: Bar[], trades: readonly Trade[], scale: Scale): readonly Bar[] {
  const before = bars.length;
  for (const trade of trades) {
    const last = bars.at(-1);
    const bar = grown(last, trade, scale);
    if (bar !== undefined) bars[bars.length - (bar.time === last?.time ? 1 : 0)] = bar;
  }
  return bars.slice(Math.max(before - 1, 0));
}

/** The market cap after a trade, in SOL. */
export const capOf = ({ virtualSol, virtualToken }: Trade, supply: string): number =>
  (Number(virtualSol) / Number(virtualToken)) * inSol(supply);

/** The newest candle after a trade. Undefined for a trade of an older candle. */
function grown(last: Bar | undefined, trade: Trade, { interval, supply }: Scale): Bar | undefined {
  const cap = capOf(trade, supply);
  const time = Math.floor(trade.timestamp / interval) * interval;
  const traded = inSol(trade.solAmount);
  if (last === undefined) return { time, open: cap, high: cap, low: cap, close: cap, volume: traded };
  if (time < last.time) return undefined;
  const open = time === last.time ? last.open : last.close;
  const { high, low, volume } = time === last.time ? last : { high: open, low: open, volume: 0 };
  return {
    time,
    open,
    high: Math.max(high, cap),
    low: Math.min(low, cap),
    close: cap,
    volume: volume + traded,
  };
}
