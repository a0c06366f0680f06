// A trade as the market books it, on a curve or in a pool.
import { TOKEN_SUPPLY } from '@curvekit/sdk';

/** Lamports and token units. */
export interface BookedTrade {
  /** Grows in the chain's order. Records and pool trades share one sequence. */
  readonly id: bigint;
  readonly mint: string;
  readonly trader: string;
  readonly isBuy: boolean;
  /** What the trader paid or received, fees included. */
  readonly solAmount: bigint;
  readonly tokenAmount: bigint;
  /** Reserves after the trade. */
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
  /** Whether the trade bought the last tokens of the curve. */
  readonly graduated: boolean;
  /** Unix seconds. */
  readonly timestamp: number;
}

export const MINUTE = 60;

/** Start of the minute, in Unix seconds. */
export function minuteOf(timestamp: number): number {
  return timestamp - (timestamp % MINUTE);
}

/** Lamports: the supply at the price of these reserves, rounded down. An empty pool has no price: 0. */
export function capOf({
  virtualSol,
  virtualToken,
}: Pick<BookedTrade, 'virtualSol' | 'virtualToken'>): bigint {
  return virtualToken === 0n ? 0n : (virtualSol * TOKEN_SUPPLY) / virtualToken;
}
