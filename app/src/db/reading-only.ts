// Read-only queries for the leader's jobs. Their writes must go through a transaction, which checks the lease.
import type { Queries } from './database.js';

const WRITES: ReadonlySet<string | symbol> = new Set(['insert', 'update', 'delete', 'transaction']);

/** A view of the queries whose writing methods throw. */
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
