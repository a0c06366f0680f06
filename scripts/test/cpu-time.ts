/** What suites cost in CPU time. On two busy cores it tells more than the time that passes. */
import { readFileSync } from 'node:fs';

/** Linux counts in these in `/proc`, on every platform of Node.js. */
const TICKS_PER_SECOND = 100;

let counted = ofChildren() ?? 0;

/**
 * The CPU seconds of the child that has just ended, and of all that it and its children have waited for. Call it once when a
 * child ends: Linux keeps one sum for all of them.
 *
 * @returns undefined where the system does not tell it
 */
export function cpuSecondsOfEndedChild(): number | undefined {
  const total = ofChildren();
  if (total === undefined) return undefined;
  const seconds = total - counted;
  counted = total;
  return seconds;
}

function ofChildren(): number | undefined {
  let stat: string;
  try {
    stat = readFileSync('/proc/self/stat', 'utf8');
  } catch {
    return undefined;
  }
  // The name of the program, in parentheses, can contain spaces. Fields 16 and 17 are cutime and cstime.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}
