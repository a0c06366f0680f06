// Sequences that failed once, as files. The suite plays each of them again.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worlds } from './batch.js';
import { playEpisode } from './episode.js';
import { fromText } from './replay.js';

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
