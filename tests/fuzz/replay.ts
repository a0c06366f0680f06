// Episodes as files. `npm run fuzz -- --replay FILE` plays them again.
import { CommandError } from '../../scripts/command-line.js';
import type { Episode } from './steps.js';

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
