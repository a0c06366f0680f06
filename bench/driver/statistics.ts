/** Minimum, median and maximum of many measurements. */
export interface Spread {
  readonly min: number;
  /** For an even count the greater of the two middle values, because limits apply to it. */
  readonly median: number;
  readonly max: number;
}

/** @throws RangeError for an empty list */
export function spreadOf(measurements: readonly number[]): Spread {
  const sorted = [...measurements].sort((a, b) => a - b);
  const [min, median, max] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (min === undefined || median === undefined || max === undefined)
    throw new RangeError('nothing was measured');
  return { min, median, max };
}

/** The measurement below which `share` of all measurements lie. Null for an empty list. */
export function percentile(measurements: readonly number[], share: number): number | null {
  const sorted = [...measurements].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}
