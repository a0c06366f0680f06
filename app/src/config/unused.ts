// Variables that are set and do nothing: misspelt ones, and those whose partner is missing.
import type { Environment } from './secret-files.js';
import { ALL_VARIABLES, settings } from './settings.js';

/** Shorter names are like too many others. */
const SHORTEST_NAME = 6;
const MOST_TYPOS = 2;

export interface UnusedVariable {
  readonly name: string;
  /** Continues "NAME …". */
  readonly reason: string;
}

export function unusedVariables(environment: Environment): UnusedVariable[] {
  const isSet = (name: string) => (environment[name] ?? '').trim() !== '';
  const misspelt = Object.keys(environment)
    .filter((name) => isSet(name) && !ALL_VARIABLES.includes(name))
    .flatMap((name) => {
      const meant = nearest(name);
      return meant === undefined ? [] : [{ name, reason: `is not used; did you mean ${meant}?` }];
    });
  const dependent = settings.flatMap(([name, { needs, unless }]) => {
    if (!isSet(name)) return [];
    if (needs !== undefined && !isSet(needs)) return [{ name, reason: `is not used without ${needs}` }];
    return unless !== undefined && isSet(unless) ? [{ name, reason: `is not used beside ${unless}` }] : [];
  });
  return [...misspelt, ...dependent];
}

/** The variable that a name looks like. */
function nearest(given: string): string | undefined {
  // A byte order mark or a quote can stand before it.
  const name = given.toUpperCase().replaceAll(/[^A-Z0-9_]/g, '');
  if (ALL_VARIABLES.includes(name)) return name;
  const long = ALL_VARIABLES.filter((candidate) => candidate.length >= SHORTEST_NAME);
  const extended = long.find(
    (candidate) => name.startsWith(`${candidate}_`) || name.endsWith(`_${candidate}`),
  );
  const typo = long
    .map((candidate) => ({ candidate, typos: distance(name, candidate) }))
    .filter(({ typos }) => typos <= MOST_TYPOS)
    .sort((a, b) => a.typos - b.typos)[0]?.candidate;
  return typo ?? extended;
}

/** Letters to add, remove or change to make one of the other. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_TYPOS) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1)
      next.push(Math.min(row[j]! + (letter === b[j] ? 0 : 1), row[j + 1]! + 1, next[j]! + 1));
    row = next;
  }
  return row[b.length]!;
}
