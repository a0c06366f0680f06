// Queries of a job that leads: what it writes goes through a transaction, which checks the lease.
import type { Queries } from './database.js';

const WRITES: ReadonlySet<string | symbol> = new Set(['insert', 'update', 'delete', 'transaction']);

/** The same queries without those that write. */
export function readingOnly(queries: Queries): Queries {
  return new Proxy(queries, {
    get(target, name, receiver) {
      if (WRITES.has(name)) {
        throw new Error(
          `a leader's queries only read: ${String(name)} belongs into a transaction, which checks the lease`,
        );
      }
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}
