// Trades for the tests of the curve arithmetic.
import { buyExactIn, sellExactIn, type Buy, type Sell } from '../src/curve/curve.js';
import { ProgramError } from '../src/errors/index.js';

export interface Curve {
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
  readonly feeBps: bigint;
}

export const buy = (curve: Curve, sol: bigint, minimum = 0n): Buy =>
  buyExactIn(curve.virtualSol, curve.virtualToken, curve.feeBps, sol, minimum);
export const sell = (curve: Curve, tokens: bigint, minimum = 0n): Sell =>
  sellExactIn(curve.virtualSol, curve.virtualToken, curve.feeBps, tokens, minimum);

/** The result of the trade, or undefined when the program would refuse it. Throws any other error. */
export function accepted<T>(trade: () => T): T | undefined {
  try {
    return trade();
  } catch (error) {
    if (error instanceof ProgramError) return undefined;
    throw error;
  }
}

export function codeOf(trade: () => unknown): number | undefined {
  try {
    trade();
    return undefined;
  } catch (error) {
    if (error instanceof ProgramError) return error.code;
    throw error;
  }
}
