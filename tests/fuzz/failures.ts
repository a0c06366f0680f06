// Failures: the shortest sequence of steps that still fails, as a file that `npm run fuzz -- --replay FILE` plays again. The suite
// plays each that is kept.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError } from '../../scripts/command-line.js';
import { playEpisode, type Failure, type Worlds } from './batch.js';
import type { Episode, Step } from './steps.js';
import type { World } from './world.js';

/** Relative to the repository's root. Does not exist while there is no file in it. */
export const FOUND_FOLDER = 'tests/fuzz/found';

/** Plays each file of a folder. @returns what failed, by file */
export function failuresOf(folder: string, worlds: Worlds): string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  return names.sort().flatMap((name) => {
    const episode = fromText(name, readFileSync(join(folder, name), 'utf8'));
    const { failure } = playEpisode(worlds.at(episode.spec.amm), episode);
    return failure === undefined ? [] : [`${name}: step ${failure.step + 1}: ${failure.message}`];
  });
}

/** Numbers beyond 53 bits are texts that end in n. */
const BIG = /^-?\d+n$/;

export function toText({ spec, steps }: Episode): string {
  const lines = steps.map((step) => `    ${json(step)}`);
  return `{\n  "spec": ${json(spec)},\n  "steps": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** @throws CommandError when it is not the text of an episode */
export function fromText(file: string, text: string): Episode {
  try {
    const episode = JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' && BIG.test(value) ? BigInt(value.slice(0, -1)) : value,
    ) as Episode;
    if (Array.isArray(episode.steps) && typeof episode.spec.amm === 'number') return episode;
  } catch (error) {
    throw new CommandError(`${file}: is not JSON (${(error as Error).message})`, { cause: error });
  }
  throw new CommandError(`${file}: has no episode, an object with "spec" and "steps"`);
}

function json(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each));
}

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
