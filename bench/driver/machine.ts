// The conditions of a measurement besides the code: the machine, its load, and the versions of Node and PostgreSQL.
import { availableParallelism, cpus, loadavg } from 'node:os';
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from '#app/db/database.js';

export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly node: string;
  /** Version of the PostgreSQL server. Undefined when none is used. */
  readonly postgres?: string;
  /** Load average of the last minute, including the benchmark's own processes. */
  readonly loadBefore: number;
  readonly loadAfter: number;
}

/** Call this before measuring. Call the returned function afterwards to get the conditions. */
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

/** The conditions in one line, printed below a table. */
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
