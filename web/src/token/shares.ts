// Shares of the supply, rounded up, so that nothing looks safer than it is.
import { percent } from '../format.js';
import type { Holder } from '../market/types.js';

const TENTH_OF_PERCENT_BPS = 10;

/** In basis points. @param supply of all tokens, burnt ones included */
export function shareBps(units: bigint, supply: bigint): number {
  return Number((units * 10_000n + supply - 1n) / supply);
}

/** The holders' share together. The service knows how many tokens are left after some were burnt. */
export function togetherBps(holders: readonly Holder[], supply: bigint): number {
  const units = holders.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const ofThoseLeft = holders.reduce((sum, holder) => sum + holder.shareBps, 0);
  return Math.max(ofThoseLeft, shareBps(units, supply));
}

export const shareText = (bps: number) =>
  percent(Math.ceil(bps / TENTH_OF_PERCENT_BPS) * TENTH_OF_PERCENT_BPS);
