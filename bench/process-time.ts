// CPU time of a process and of those that it has started, from Linux.
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks in a second, the same on every Linux that Node runs on. */
const TICKS = 100;

/** Seconds of CPU time so far, of the process and of its children that run. */
export function cpuSeconds(pid: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = statOf(name);
    if (fields === undefined || (Number(name) !== pid && Number(fields[1]) !== pid)) continue;
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / TICKS;
}

/** From the state on: the name before it can have spaces. Undefined when the process has ended. */
function statOf(pid: string): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
