import { readFileSync } from 'node:fs';

/** Linux counts CPU time in these in `/proc`, on every platform of Node.js. */
export const TICKS_PER_SECOND = 100;

/**
 * The fields of `/proc/PID/stat` from the third on. The second, the name of the program in parentheses, can contain spaces.
 *
 * @returns undefined when the process has ended, or the system has no `/proc`
 */
export function statOf(pid: number | 'self'): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
