// Folds a batch of trades into candles, tokens and positions, before the database adds them to its own.
import { capOf, minuteOf, type BookedTrade } from './trade.js';

/** A minute's trades of a batch. Prices are market caps. */
export interface CandleChange {
  readonly mint: string;
  readonly minute: number;
  readonly firstId: bigint;
  /** The close before, of this batch; null for the token's first candle in it, which opens at the stored price. */
  readonly open: bigint | null;
  high: bigint;
  low: bigint;
  close: bigint;
  volume: bigint;
  trades: number;
}

/** A token after its last trade of a batch. */
export interface TokenChange {
  last: BookedTrade;
  /** After it. */
  cap: bigint;
  graduated: boolean;
  trades: number;
}

/** What a batch adds to a position. */
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

/** @param trades in the order of their ids */
export function foldTrades(trades: readonly BookedTrade[]): FoldedTrades {
  const candles = new Map<string, CandleChange>();
  const tokens = new Map<string, TokenChange>();
  const positions = new Map<string, PositionChange>();
  for (const trade of trades) {
    const token = tokens.get(trade.mint);
    const cap = capOf(trade);
    addToCandle(candles, trade, cap, token?.cap ?? null);
    addToPosition(positions, trade);
    if (token === undefined)
      tokens.set(trade.mint, { last: trade, cap, graduated: trade.graduated, trades: 1 });
    else {
      token.last = trade;
      token.cap = cap;
      token.graduated ||= trade.graduated;
      token.trades += 1;
    }
  }
  return { candles: [...candles.values()], tokens: [...tokens.values()], positions: [...positions.values()] };
}

function addToCandle(
  candles: Map<string, CandleChange>,
  trade: BookedTrade,
  cap: bigint,
  open: bigint | null,
): void {
  const minute = minuteOf(trade.timestamp);
  const key = `${trade.mint}${minute}`;
  const candle = candles.get(key);
  if (candle === undefined) {
    const { id: firstId, mint, solAmount: volume } = trade;
    const [high, low] = open === null ? [cap, cap] : [larger(open, cap), smaller(open, cap)];
    candles.set(key, { mint, minute, firstId, open, high, low, close: cap, volume, trades: 1 });
    return;
  }
  candle.high = larger(candle.high, cap);
  candle.low = smaller(candle.low, cap);
  candle.close = cap;
  candle.volume += trade.solAmount;
  candle.trades += 1;
}

function addToPosition(positions: Map<string, PositionChange>, trade: BookedTrade): void {
  const { trader: wallet, mint, isBuy, solAmount, tokenAmount } = trade;
  const key = wallet + mint;
  let position = positions.get(key);
  if (position === undefined) {
    position = { wallet, mint, amount: 0n, paid: 0n, received: 0n, trades: 0 };
    positions.set(key, position);
  }
  position.amount += isBuy ? tokenAmount : -tokenAmount;
  if (isBuy) position.paid += solAmount;
  else position.received += solAmount;
  position.trades += 1;
}

const larger = (a: bigint, b: bigint) => (a > b ? a : b);
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
