// A trade as the market books it, of a curve or of a pool.
import { TOKEN_SUPPLY } from '@curvekit/sdk';

/** Lamports and token units. */
export interface BookedTrade {
  /** Grows in the chain's order; one sequence for records and pool trades. */
  readonly id: bigint;
  readonly mint: string;
  readonly trader: string;
  readonly isBuy: boolean;
  /** What the trader paid or received, fees and all. */
  readonly solAmount: bigint;
  readonly tokenAmount: bigint;
  /** Reserves after the trade. */
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
  /** Whether it took the last tokens of the curve. */
  readonly graduated: boolean;
  /** Unix seconds. */
  readonly timestamp: number;
}

export const MINUTE = 60;

/** Beginning of the minute, in Unix seconds. */
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
