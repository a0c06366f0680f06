/**
 * The alterations that the tests notice, that the compiler refuses, or that docs/mutants.md explains: a run leaves them out while
 * their functions stay the same.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A key and how it ended, one line each. Part of the repository, because a whole run takes hours. */
const FILE = fileURLToPath(new URL('tried.txt', import.meta.url));

const lineOf = (key: string, end: string): string => `${key} ${end}\n`;

export function triedKeys(): ReadonlySet<string> {
  return new Set(entries().map(([key]) => key));
}

/** Writes the file anew, sorted and without alterations that no longer exist. @param present keys of all alterations */
export function forgetOthers(present: ReadonlySet<string>): void {
  const kept = new Map(entries().filter(([key]) => present.has(key)));
  const lines = [...kept].map(([key, end]) => lineOf(key, end)).sort();
  writeFileSync(FILE, lines.join(''));
}

/** Adds a line at once: a long run may be interrupted. */
export function remember(key: string, end: string): void {
  appendFileSync(FILE, lineOf(key, end));
}

function entries(): [key: string, end: string][] {
  if (!existsSync(FILE)) return [];
  return readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ') as [string, string]);
}
