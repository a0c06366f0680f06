// A trade on a curve or in a pool, as the market tables need it.
import { TOKEN_SUPPLY } from '@curvekit/sdk';

/** Amounts in lamports and token units. */
export interface BookedTrade {
  /** Grows in the order of the chain. Records and pool trades share one sequence. */
  readonly id: bigint;
  readonly mint: string;
  readonly trader: string;
  readonly isBuy: boolean;
  /** Lamports that the trader paid or received, including fees. */
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

/**
 * Market cap in lamports: the supply at the price of these reserves, rounded down. 0 for an empty pool, which has no price.
 */
export function capOf({
  virtualSol,
  virtualToken,
}: Pick<BookedTrade, 'virtualSol' | 'virtualToken'>): bigint {
  return virtualToken === 0n ? 0n : (virtualSol * TOKEN_SUPPLY) / virtualToken;
}
