/** What suites cost in CPU time. On two busy cores it tells more than the time that passes. */
import { statOf, TICKS_PER_SECOND } from '../proc-stat.js';

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
  const fields = statOf('self');
  // Fields 16 and 17 are cutime and cstime.
  return fields && (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}
