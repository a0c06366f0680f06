// One interface for both databases: PGlite inside this process, and PostgreSQL. Same schema, same migrations.
import { sql, type ExtractTablesWithRelations, type SQL } from 'drizzle-orm';
import { type PgDatabase, type PgQueryResultHKT, type PgTransaction } from 'drizzle-orm/pg-core';
import type { DatabaseConfig } from '../config/config.js';
import { openEmbedded } from './embedded.js';
import type { Leadership } from './leadership.js';
import { openPostgres } from './postgres.js';
import type { ReplicaState } from './replicas.js';
import type * as schema from './schema/index.js';

type Schema = typeof schema;
type Relations = ExtractTablesWithRelations<Schema>;

/** Queries outside a transaction. Never use it inside one: the embedded database has one connection and would wait for itself. */
export type Queries = PgDatabase<PgQueryResultHKT, Schema, Relations>;

export type Transaction = PgTransaction<PgQueryResultHKT, Schema, Relations>;

/** Either of them: a function that takes an executor can run inside a larger transaction. */
export type Executor = Queries | Transaction;

/** Identifies a lease in a fenced write, which fails when the lease has had another holder since. */
export interface Fence {
  readonly name: string;
  /** Grows with each new holder. */
  readonly token: bigint;
}

/** A lease: one process at a time holds it, and renews it every few seconds. */
export interface Lease extends Fence {
  /** Aborts when the lease is lost, for example because the process froze or the connection broke. */
  readonly lost: AbortSignal;
  /** Releases the lease. Safe to call twice. */
  release(): Promise<void>;
}

/** Purposes of connections. Each purpose has its own pool and time limits, so that none starves another. */
export type Purpose = 'requests' | 'payments' | 'jobs';

export interface PoolState {
  /** A purpose, `leases`, or the place of a standby. */
  readonly name: string;
  readonly size: number;
  readonly total: number;
  readonly idle: number;
  /** Queries that wait for a connection. */
  readonly waiting: number;
}

export interface Database {
  readonly kind: 'pglite' | 'postgres';
  readonly queries: Queries;
  /** The leases that transactions of this view check. Empty for views of requests. */
  readonly fences: readonly Fence[];
  /** Chooses the leader. All views of a database share it. */
  readonly leadership: Leadership;
  /**
   * Reads what may be a moment old: from a standby, if one is configured and close enough, else like `queries`. Never what decides about
   * money. `work` may run twice.
   */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** The standbys that are configured, as at the last look, a second ago at most. */
  replicas(): readonly ReplicaState[];
  lookAtReplicas(): Promise<void>;
  /** The connection pools of this process. All views of a database share them; the embedded database has none. */
  pools(): readonly PoolState[];
  /**
   * Runs the work in a transaction (read committed). When the work throws, nothing is changed.
   *
   * @throws DeposedError when the view is fenced and one of its leases is lost; nothing is changed then
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * This view with the connection pool of a purpose. The default is `requests`. The view keeps its fences.
   *
   * @param fence one more lease that every transaction checks before it commits; a fenced view's queries only read
   */
  on(purpose: Purpose, fence?: Fence): Database;
  /** Brings the tables up to date. Safe to call from many instances at once. */
  migrate(): Promise<void>;
  /** Takes a lease. Undefined while another process holds it. The embedded database has one process only. */
  tryLead(name: string): Promise<Lease | undefined>;
  /**
   * Calls back after each commit that notifies the channel, and whenever a notification may have been missed.
   *
   * @returns a function that stops the notifications
   */
  listen(channel: string, onNotified: () => void): Promise<() => Promise<void>>;
  /** Waits for running queries, then closes. Safe to call twice. */
  close(): Promise<void>;
}

/** Thrown when a lease was lost and another process may hold it. */
export class DeposedError extends Error {
  override readonly name = 'DeposedError';

  constructor(message = 'the lease is lost: another instance does this work now') {
    super(message);
  }
}

/**
 * Opens the configured database. Its tables may be missing or outdated; see `migrate`.
 *
 * @throws DatabaseError when it cannot be opened, with what to do
 */
export function openDatabase(config: DatabaseConfig): Promise<Database> {
  return config.kind === 'postgres' ? openPostgres(config) : openEmbedded(config);
}

/** Rows of a hand-written query. Numbers wider than 32 bits arrive as text or bigint by driver: select them `::text`. */
export async function rowsOf<Row extends Record<string, unknown>>(
  executor: Executor,
  query: SQL,
): Promise<Row[]> {
  // The two drivers return this shape, but their common type does not declare it.
  const result: unknown = await executor.execute(query);
  return (result as { readonly rows: Row[] }).rows;
}

/** The same of a statement that is written out: ``await statement<Row>(db)`select …` ``. */
export const statement =
  <Row extends Record<string, unknown>>(executor: Executor) =>
  (text: TemplateStringsArray, ...values: unknown[]): Promise<Row[]> =>
    rowsOf<Row>(executor, sql(text, ...values));
