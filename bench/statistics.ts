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
