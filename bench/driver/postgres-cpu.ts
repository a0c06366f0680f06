// CPU time of a PostgreSQL server on this machine, from /proc. Undefined on systems without it.
import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { rowsOf, type Database } from '#app/db/database.js';

const TICKS_PER_SECOND = 100;

/** Seconds that the server's processes have taken, also those that have ended. */
export async function postgresCpuSeconds({ queries }: Database): Promise<number | undefined> {
  try {
    const [row] = await rowsOf<{ pid: number }>(queries, sql`select pg_backend_pid() as pid`);
    const server = statOf(row!.pid).parent;
    const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return processes.reduce((seconds, name) => {
      const stat = statOrNothing(Number(name));
      const isOwn = stat !== undefined && (Number(name) === server || stat.parent === server);
      return isOwn ? seconds + stat.seconds : seconds;
    }, 0);
  } catch {
    return undefined;
  }
}

function statOrNothing(pid: number) {
  try {
    return statOf(pid);
  } catch {
    return undefined;
  }
}

function statOf(pid: number): { readonly parent: number; readonly seconds: number } {
  // The name of the process is in parentheses, and can have spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ').map(Number);
  // Own time in user and system mode, then that of children that have ended.
  const ticks = fields.slice(11, 15).reduce((sum, one) => sum + one, 0);
  return { parent: fields[1]!, seconds: ticks / TICKS_PER_SECOND };
}
