// The shortest sequence of steps that still fails.
import { playEpisode, type Failure } from './episode.js';
import { FOUND_FOLDER } from './found.js';
import type { Episode, Step } from './steps.js';
import type { World } from './world.js';

export interface Shrunk {
  readonly episode: Episode;
  readonly failure: Failure;
}

/** Leaves out steps, in ever smaller groups, as long as what is left still fails. The failure may be another one then. */
export function shrink(world: World, failing: Episode, first: Failure): Shrunk {
  let steps = failing.steps.slice(0, first.step + 1);
  let failure = first;
  const fails = (fewer: readonly Step[]): boolean => {
    const played = playEpisode(world, { ...failing, steps: fewer });
    if (played.failure === undefined) return false;
    failure = played.failure;
    steps = fewer.slice(0, failure.step + 1);
    return true;
  };
  for (let group = Math.ceil(steps.length / 2); group >= 1; group = Math.floor(group / 2)) {
    for (let from = steps.length - group; from >= 0 && steps.length > 1; from -= group) {
      fails([...steps.slice(0, from), ...steps.slice(from + group)]);
      from = Math.min(from, steps.length);
    }
  }
  return { episode: { ...failing, steps }, failure };
}

/** What to show to a person: the failure, the steps as a file, and how to run it. */
export function explainFailure({ failure }: Shrunk, file: string, seed: number, index: number): string {
  return [
    `seed ${seed}, episode ${index}: step ${failure.step + 1} of the shortest sequence`,
    failure.message,
    `The sequence is in ${file}; run it again with: npm run fuzz -- --replay ${file}`,
    `Keep it as a test, which the suite plays again: mkdir -p ${FOUND_FOLDER} && cp ${file} ${FOUND_FOLDER}/`,
  ].join('\n');
}
