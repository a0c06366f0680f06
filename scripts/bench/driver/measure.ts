/** CPU time of processes, and what many measurements come to. */
import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { rowsOf, type Database } from '#app/db/database.js';

/** A field of `statOf`. */
const PARENT = 1;
/** Linux counts CPU time in these in `/proc`, on every platform of Node.js. */
const TICKS_PER_SECOND = 100;

export interface Spread {
  readonly min: number;
  /** For an even count the greater of the two middle values, because limits apply to it. */
  readonly median: number;
  readonly max: number;
}

/** @throws RangeError for an empty list */
export function spreadOf(measurements: readonly number[]): Spread {
  if (measurements.length === 0) throw new RangeError('nothing was measured');
  const at = (share: number): number => percentile(measurements, share)!;
  return { min: at(0), median: at(0.5), max: at(1) };
}

/** The measurement below which `share` of all measurements lie. Null for an empty list. */
export function percentile(measurements: readonly number[], share: number): number | null {
  const sorted = [...measurements].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? null;
}

/** CPU time of a PostgreSQL server on this machine, with its processes that have ended. Undefined on systems without /proc. */
export async function postgresCpuSeconds({ queries }: Database): Promise<number | undefined> {
  const [row] = await rowsOf<{ pid: number }>(queries, sql`select pg_backend_pid() as pid`);
  const server = statOf(row!.pid)?.[PARENT];
  if (server === undefined) return undefined;
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.reduce((seconds, pid) => {
    const fields = statOf(Number(pid));
    if (fields === undefined || (pid !== server && fields[PARENT] !== server)) return seconds;
    // Own time in user and system mode, then that of children that have ended.
    return seconds + fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  }, 0);
}

/** The fields of `/proc/PID/stat` after the name of the program. Undefined when the process has ended, or without `/proc`. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
