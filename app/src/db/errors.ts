import type { Database } from './database.js';
import { ExplainedError } from '../base/errors.js';

/** The database cannot be used. The message says why and what to do. */
export class DatabaseError extends ExplainedError {
  override readonly name = 'DatabaseError';
}

/** PostgreSQL's code of an error, such as `42501`, wherever in its causes it is. */
export function codeOf(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if ('code' in cause) return cause.code;
  return undefined;
}

/** PostgreSQL's codes of a database that writes nothing: its disk is full or fails, it is read-only, or it is out of memory. */
const UNWRITABLE = new Set<unknown>(['53100', '58030', '25006', '53200']);
/** Longer than the pause after which a job tries again. */
const RECENT_MS = 30_000;

/** Notes which transactions fail because the database cannot be written. */
export class WriteFailures {
  #last = -Infinity;

  /** Whether a transaction has failed so within the last half minute. */
  get areRecent(): boolean {
    return performance.now() - this.#last < RECENT_MS;
  }

  /** The same database, whose transactions are watched. */
  watch(database: Database): Database {
    return {
      ...database,
      transaction: (work) =>
        database.transaction(work).catch((error: unknown) => {
          if (UNWRITABLE.has(codeOf(error))) this.#last = performance.now();
          throw error;
        }),
      on: (purpose, fence) => this.watch(database.on(purpose, fence)),
    };
  }
}
