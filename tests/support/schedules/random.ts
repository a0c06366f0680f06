// Random choices that a seed repeats exactly.
import { randomStream } from '../../../scripts/random.js';

export type Random = ReturnType<typeof randomOf>;

export function randomOf(seed: number) {
  const stream = randomStream(seed, 0);
  /** From 0 to 1, without 1. */
  const next = () => stream.below(2 ** 32) / 2 ** 32;
  return {
    next,
    chance: (probability: number) => next() < probability,
    /** A whole number from `least` to `most`. */
    between: (least: number, most: number) => least + stream.below(most - least + 1),
    pick: <T>(values: readonly T[]): T => values[stream.below(values.length)]!,
  };
}
