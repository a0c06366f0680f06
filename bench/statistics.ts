/** How a number is spread over many measurements. */
export interface Spread {
  readonly min: number;
  /** The greater of the two in the middle, for an even count: a limit must hold for it. */
  readonly median: number;
  readonly max: number;
}

/** @throws RangeError for no measurements at all */
export function spreadOf(measurements: readonly number[]): Spread {
  const sorted = [...measurements].sort((a, b) => a - b);
  const [min, median, max] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (min === undefined || median === undefined || max === undefined)
    throw new RangeError('nothing was measured');
  return { min, median, max };
}

/** The measurement below which a share of them lies; null when there are none. */
export function percentile(measurements: readonly number[], share: number): number | null {
  const sorted = [...measurements].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}
