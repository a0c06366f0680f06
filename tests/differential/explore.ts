// Random arenas and random steps. When the builds differ, finds the shortest sequence of steps that shows it.
import fc from 'fast-check';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArenaSpec } from './arena.js';
import type { Lab } from './lab.js';
import type { Tally } from './outcomes.js';
import { arenaSpec, MOST_STEPS, steps as sequences } from './random-steps.js';
import type { Step } from './steps.js';

/** A sequence of steps with different results on the two builds. */
export interface Finding {
  /** Repeats the search: `--seed`. */
  readonly seed: number;
  readonly spec: ArenaSpec;
  readonly steps: readonly Step[];
}

export interface Plan {
  /** The minimum number of steps. */
  readonly steps: number;
  readonly seed: number;
  readonly tally: Tally;
  /** Called after each batch. */
  readonly onProgress?: () => void;
}

/** Arenas between two progress reports. Each batch has its own seed, so that it can be repeated alone. */
const BATCH = 50;

/** Executes random steps until there are enough or the builds differ. */
export async function explore(
  lab: Lab,
  { steps, seed, tally, onProgress }: Plan,
): Promise<Finding | undefined> {
  const end = tally.steps + steps;
  for (let batch = seed; tally.steps < end; batch += 1) {
    const finding = await exploreBatch(lab, batch, Math.ceil((2 * (end - tally.steps)) / MOST_STEPS), tally);
    onProgress?.();
    if (finding !== undefined) return finding;
  }
  return undefined;
}

async function exploreBatch(
  lab: Lab,
  seed: number,
  most: number,
  tally: Tally,
): Promise<Finding | undefined> {
  let differed = false;
  // Unbiased: every sequence length is equally likely.
  const property = fc.asyncProperty(fc.noBias(arenaSpec), fc.noBias(sequences), async (spec, steps) => {
    // Memory of the machines is freed only when the event loop turns.
    await nextTurn();
    const { played, difference } = lab.run(spec, steps);
    differed ||= difference !== undefined;
    // Runs after a difference only shrink the sequence, so they do not count.
    if (!differed) for (const each of played) tally.add(each);
    return difference === undefined;
  });
  const { counterexample } = await fc.check(property, { seed: seed | 0, numRuns: Math.min(BATCH, most) });
  if (counterexample === null) return undefined;
  const [spec, steps] = counterexample;
  return { seed, spec, steps };
}
