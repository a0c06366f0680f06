// One interface over the two drivers: PGlite inside this process, PostgreSQL by its address. Same schema, same migrations.
import { type ExtractTablesWithRelations, type SQL } from 'drizzle-orm';
import { type PgDatabase, type PgQueryResultHKT, type PgTransaction } from 'drizzle-orm/pg-core';
import type { DatabaseConfig } from '../config.js';
import { openEmbedded } from './embedded.js';
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

/** Leadership of one job among all instances that share the database. */
export interface Lease {
  /** Aborted when leadership is lost, such as by a broken connection. */
  readonly lost: AbortSignal;
  /** Gives leadership up. Safe to call twice. */
  release(): Promise<void>;
}

export interface Database {
  readonly kind: 'pglite' | 'postgres';
  readonly queries: Queries;
  /** Runs the work in a transaction (read committed): all of it happens, or nothing when it throws. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Brings the tables up to date. Safe to call from many instances at once. */
  migrate(): Promise<void>;
  /** Becomes the leader of a job, or gets undefined when another one is. The embedded database has one process only. */
  tryLead(job: string): Promise<Lease | undefined>;
  /** Waits for what is under way. Safe to call twice. */
  close(): Promise<void>;
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
