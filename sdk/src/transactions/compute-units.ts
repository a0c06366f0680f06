// Compute units of a simulation, and the limit that a transaction gets from them.

/** The most compute units that a transaction may request. */
export const MAX_COMPUTE_UNITS = 1_400_000;

/** Compute units that a simulation consumed. Undefined when the node does not report them: some nodes report 0. */
export function unitsIn({ unitsConsumed }: { readonly unitsConsumed?: number }): number | undefined {
  return typeof unitsConsumed === 'number' && unitsConsumed > 0 ? unitsConsumed : undefined;
}

/** The compute-unit limit for a simulation's compute units. The highest when they are unknown. */
export function limitOf(units: number | undefined, marginPercent: number): number {
  if (units === undefined) return MAX_COMPUTE_UNITS;
  return Math.min(Math.ceil((units * (100 + marginPercent)) / 100), MAX_COMPUTE_UNITS);
}
