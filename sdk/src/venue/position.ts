// What a wallet has made or lost with a token: its trades, and a sale of all that it holds.
import { requireU64 } from '../checks/numbers.js';
import { ProgramError, TradingMovedError } from '../errors/index.js';
import type { Market } from './market.js';
import { quoteSell, type CurveState } from './quotes.js';

/** The sums of a wallet's trades in a token. */
export interface TradedSums {
  /** Token units bought less those sold. Negative when the wallet sold tokens that it had not bought. */
  readonly tokenAmount: bigint;
  /** Lamports paid, fees included. */
  readonly paid: bigint;
  /** Lamports received, after fees. */
  readonly received: bigint;
}

/** What a wallet holds of a token, and what it has made with it. */
export interface PositionResult {
  /** Token units on chain. */
  readonly tokenAmount: bigint;
  /** Lamports that a sale of all pays now, after fees. 0 when that is less than a lamport; null while the token does not trade. */
  readonly saleValue: bigint | null;
  /** Token units that came without a trade, or that left without one when negative. Their cost is unknown and counts as 0. */
  readonly untraded: bigint;
  /** Lamports received, and those of a sale of all, less those paid. Null while the token does not trade. */
  readonly profit: bigint | null;
}

/**
 * Values what a wallet holds at a sale of all of it now, not at the last price, which no sale of size gets.
 *
 * @param market a market of `fetchMarket`, or a curve. A pool is quoted with its own fees
 * @param tokenAmount token units that the wallet holds on chain
 * @param traded the sums of its trades
 * @throws InvalidArgumentError for an amount that is not a bigint of 64 bits
 */
export function positionOf(
  market: CurveState | Market,
  tokenAmount: bigint,
  traded: TradedSums,
): PositionResult {
  requireU64('tokenAmount', tokenAmount);
  const saleValue = saleOf(market, tokenAmount);
  return {
    tokenAmount,
    saleValue,
    untraded: tokenAmount - traded.tokenAmount,
    profit: saleValue === null ? null : traded.received + saleValue - traded.paid,
  };
}

const CLOSED = 6001;

function saleOf(market: CurveState | Market, tokenAmount: bigint): bigint | null {
  if (tokenAmount === 0n) return 0n;
  try {
    // Two overloads, one for each kind of market.
    return quoteSell(market as Market, tokenAmount).solOut;
  } catch (error) {
    if (error instanceof TradingMovedError) return null;
    if (!(error instanceof ProgramError)) throw error;
    return error.code === CLOSED ? null : 0n;
  }
}
