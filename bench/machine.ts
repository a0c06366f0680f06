// What a figure depends on besides the code: the machine, what else it does, and the versions of what is measured with.
import { availableParallelism, cpus, loadavg } from 'node:os';
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '#app/db/database.js';

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly node: string;
  /** Version of the PostgreSQL server; undefined where none is used. */
  readonly postgres?: string;
  /** Processes that wanted to run, over the last minute: the benchmark's own are among them. */
  readonly loadBefore: number;
  readonly loadAfter: number;
}

/** Call before measuring; the result, called after it, says under which conditions it was measured. */
export function observeMachine(): (postgres?: string) => Machine {
  const loadBefore = currentLoad();
  return (postgres) => ({
    cores: availableParallelism(),
    cpu: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    ...(postgres === undefined ? {} : { postgres }),
    loadBefore,
    loadAfter: currentLoad(),
  });
}

/** The conditions in one line, for below a table. */
export function describeMachine({ cores, cpu, node, postgres, loadBefore, loadAfter }: Machine): string {
  const versions = postgres === undefined ? `Node ${node}` : `Node ${node}, PostgreSQL ${postgres}`;
  return `${cores} cores (${cpu}), ${versions}; load ${loadBefore} before, ${loadAfter} after`;
}

/** Version of a database server. */
export async function postgresVersion(db: Executor): Promise<string> {
  const [row] = await rowsOf<{ server_version: string }>(db, sql`show server_version`);
  return row?.server_version ?? 'unknown';
}

function currentLoad(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10;
}
