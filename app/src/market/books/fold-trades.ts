// Combines a batch of trades into candles, tokens and positions. The database then adds the result to its rows.
import { capOf, minuteOf, type BookedTrade } from './trade.js';

/** The trades of one minute in a batch. Prices are market caps. */
export interface CandleChange {
  readonly mint: string;
  readonly minute: number;
  readonly firstId: bigint;
  /** The previous close in this batch; null for the token's first candle, which opens at the stored price. */
  readonly open: bigint | null;
  high: bigint;
  low: bigint;
  close: bigint;
  volume: bigint;
  trades: number;
}

/** A token after its last trade in a batch. */
export interface TokenChange {
  last: BookedTrade;
  /** Market cap after that trade. */
  cap: bigint;
  graduated: boolean;
  trades: number;
}

/** Additions of a batch to a position. */
export interface PositionChange {
  readonly wallet: string;
  readonly mint: string;
  amount: bigint;
  paid: bigint;
  received: bigint;
  trades: number;
}

export interface FoldedTrades {
  readonly candles: readonly CandleChange[];
  readonly tokens: readonly TokenChange[];
  readonly positions: readonly PositionChange[];
}

/** Changes of one token by a batch. A map for each token avoids composite keys. */
interface OfToken {
  readonly token: TokenChange;
  /** By minute. */
  readonly candles: Map<number, CandleChange>;
  /** By wallet. */
  readonly positions: Map<string, PositionChange>;
}

/** @param trades in the order of their ids */
export function foldTrades(trades: readonly BookedTrade[]): FoldedTrades {
  const byMint = new Map<string, OfToken>();
  for (const trade of trades) {
    const cap = capOf(trade);
    let of = byMint.get(trade.mint);
    const open = of?.token.cap ?? null;
    if (of === undefined) {
      const token = { last: trade, cap, graduated: trade.graduated, trades: 1 };
      of = { token, candles: new Map(), positions: new Map() };
      byMint.set(trade.mint, of);
    } else {
      of.token.last = trade;
      of.token.cap = cap;
      of.token.graduated ||= trade.graduated;
      of.token.trades += 1;
    }
    addToCandle(of.candles, trade, cap, open);
    addToPosition(of.positions, trade);
  }
  const all = [...byMint.values()];
  return {
    candles: all.flatMap(({ candles }) => [...candles.values()]),
    tokens: all.map(({ token }) => token),
    positions: all.flatMap(({ positions }) => [...positions.values()]),
  };
}

function addToCandle(
  candles: Map<number, CandleChange>,
  trade: BookedTrade,
  cap: bigint,
  open: bigint | null,
): void {
  const minute = minuteOf(trade.timestamp);
  const candle = candles.get(minute);
  if (candle === undefined) {
    const { id: firstId, mint, solAmount: volume } = trade;
    const [high, low] = open === null ? [cap, cap] : [larger(open, cap), smaller(open, cap)];
    candles.set(minute, { mint, minute, firstId, open, high, low, close: cap, volume, trades: 1 });
    return;
  }
  if (cap > candle.high) candle.high = cap;
  if (cap < candle.low) candle.low = cap;
  candle.close = cap;
  candle.volume += trade.solAmount;
  candle.trades += 1;
}

function addToPosition(positions: Map<string, PositionChange>, trade: BookedTrade): void {
  const { trader: wallet, mint, isBuy, solAmount, tokenAmount } = trade;
  let position = positions.get(wallet);
  if (position === undefined) {
    position = { wallet, mint, amount: 0n, paid: 0n, received: 0n, trades: 0 };
    positions.set(wallet, position);
  }
  position.amount += isBuy ? tokenAmount : -tokenAmount;
  if (isBuy) position.paid += solAmount;
  else position.received += solAmount;
  position.trades += 1;
}

const larger = (a: bigint, b: bigint) => (a > b ? a : b);
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
