import { readdirSync } from 'node:fs';
import { statOf, TICKS_PER_SECOND } from '../../scripts/proc-stat.js';

/** Seconds of CPU time so far, of the process and of its children that run, on Linux. */
export function cpuSeconds(pid: number): number {
  let ticks = 0;
  for (const one of readdirSync('/proc').map(Number)) {
    const fields = Number.isInteger(one) ? statOf(one) : undefined;
    // Fields 4, 14 and 15 are ppid, utime and stime.
    if (fields === undefined || (one !== pid && Number(fields[1]) !== pid)) continue;
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS_PER_SECOND;
}
