// One interface over the two drivers: PGlite inside this process, PostgreSQL by its address. Same schema, same migrations.
import { type ExtractTablesWithRelations, type SQL } from 'drizzle-orm';
import { type PgDatabase, type PgQueryResultHKT, type PgTransaction } from 'drizzle-orm/pg-core';
import type { DatabaseConfig } from '../config/config.js';
import { openEmbedded } from './embedded.js';
import type { Leadership } from './leadership.js';
import { openPostgres } from './postgres.js';
import type * as schema from './schema/index.js';

type Schema = typeof schema;
type Relations = ExtractTablesWithRelations<Schema>;

/** Queries outside a transaction. Never use it inside one: the embedded database has one connection and would wait for itself. */
export type Queries = PgDatabase<PgQueryResultHKT, Schema, Relations>;

/** Queries inside a transaction. */
export type Transaction = PgTransaction<PgQueryResultHKT, Schema, Relations>;

/** Either: a function that takes it can be part of a larger transaction. */
export type Executor = Queries | Transaction;

/** What a fenced write proves: that its lease has had no other holder since. */
export interface Fence {
  readonly name: string;
  /** Grows with each new holder. */
  readonly token: bigint;
}

/** A right that one process among all that share the database holds for a few seconds, and renews. */
export interface Lease extends Fence {
  /** Aborted when the lease is lost, such as by a frozen process or a broken connection. */
  readonly lost: AbortSignal;
  /** Gives the lease up. Safe to call twice. */
  release(): Promise<void>;
}

/** What connections are for. Each purpose has its own, with its own time limits, so that none starves another. */
export type Purpose = 'requests' | 'payments' | 'jobs';

export interface Database {
  readonly kind: 'pglite' | 'postgres';
  readonly queries: Queries;
  /** The lease that transactions of this view check; undefined for those of requests and commands. */
  readonly fence: Fence | undefined;
  /** Which instance leads. One for all views of a database. */
  readonly leadership: Leadership;
  /**
   * Runs the work in a transaction (read committed): all of it happens, or nothing when it throws.
   *
   * @throws DeposedError when the view is fenced and its lease is lost: nothing happened
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * The same database on the connections of a purpose. `requests` unless said otherwise.
   *
   * @param fence a lease that every transaction of the view checks before it commits; its queries only read
   */
  on(purpose: Purpose, fence?: Fence): Database;
  /** Brings the tables up to date. Safe to call from many instances at once. */
  migrate(): Promise<void>;
  /** Takes a lease, or gets undefined while another holder has it. The embedded database has one process only. */
  tryLead(name: string): Promise<Lease | undefined>;
  /**
   * Calls back after each commit of a transaction that notifies a channel, and whenever one may have been missed.
   *
   * @returns ends it
   */
  listen(channel: string, onNotified: () => void): Promise<() => Promise<void>>;
  /** Waits for what is under way. Safe to call twice. */
  close(): Promise<void>;
}

/** Thrown when a lease was lost: another process may do the work now. */
export class DeposedError extends Error {
  override readonly name = 'DeposedError';

  constructor(message = 'the lease is lost: another instance does this work now') {
    super(message);
  }
}

/**
 * Opens the database that is configured. Its tables may be missing or old: see `migrate`.
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
  // Both drivers answer so; the type that is common to them says nothing.
  const result: unknown = await executor.execute(query);
  return (result as { readonly rows: Row[] }).rows;
}
