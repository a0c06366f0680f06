// Databases for tests, of the kind that the variable DATABASE names: `pglite` (the default) or `postgres`.
import { openDatabase, statement, type Database } from '#app/db/database.js';
import { embeddedDatabase, START_PARAMETERS } from '#app/db/embedded.js';
import { createInMemory } from '#app/db/new-database.js';
import type { DatabaseConfig } from '#app/config/config.js';
import { PglitePool } from './reused-pglite.js';
import { startPostgres, type PostgresServer } from './postgres.js';

export const DATABASE_KIND = databaseKind();

let server: Promise<PostgresServer> | undefined;

/** The run's PostgreSQL server. The first call starts it, and it stops after the last test. */
export const sharedPostgres = (): Promise<PostgresServer> => (server ??= startPostgres());

// At the top level of a module this hook applies to all tests of the run.
after(async function () {
  // It removes the files of several hundred databases.
  this.timeout(300_000);
  const running = await server;
  server = undefined;
  await running?.stop();
});

/** The configuration of a new database. An embedded one has its tables already. */
export async function emptyDatabaseConfig(): Promise<DatabaseConfig> {
  if (DATABASE_KIND === 'pglite') return { kind: 'pglite', folder: undefined };
  return { kind: 'postgres', url: await (await sharedPostgres()).createDatabase(), poolSize: 20 };
}

/** A new database without tables. Close it when done. */
export async function openEmptyDatabase(): Promise<Database> {
  if (DATABASE_KIND === 'pglite')
    return embeddedDatabase(await createInMemory({ startParams: START_PARAMETERS, tables: false }));
  return openDatabase(await emptyDatabaseConfig());
}

/** A new database with empty tables. Close it when done. */
export async function openTestDatabase(): Promise<Database> {
  if (DATABASE_KIND === 'pglite') return embeddedDatabase(await pool.lend());
  return openDatabase({ kind: 'postgres', url: await postgresWithTables(), poolSize: 20 });
}

/** A new database for the surrounding `describe`, or for each of its tests. It is closed after the other hooks, which may use it. */
export function useDatabase({ each = false, paymentsOpen = false } = {}): Database {
  const database = {} as Database;
  const close = () => ('close' in database ? database.close() : undefined);
  (each ? beforeEach : before)('open the database', async () => {
    Object.assign(database, await openTestDatabase());
    if (paymentsOpen) await openPaymentsGate(database);
  });
  before(function () {
    this.test!.parent![each ? 'afterEach' : 'afterAll'](close);
  });
  return database;
}

/** Opens the payments gate of a database without a service, for longer than any test takes. */
export async function openPaymentsGate({ queries }: Database): Promise<void> {
  await statement(queries)`insert into payments_gate (id, incarnation, reconciled_at)
    values (1, database_incarnation(), now() + interval '1 hour')
    on conflict (id) do update set incarnation = excluded.incarnation, reconciled_at = excluded.reconciled_at, held = null`;
}

let template: Promise<string> | undefined;

/** The URL of a new PostgreSQL database with empty tables. */
export async function postgresWithTables(): Promise<string> {
  const postgres = await sharedPostgres();
  return postgres.createDatabase(await (template ??= migratedTemplate(postgres)));
}

async function migratedTemplate(postgres: PostgresServer): Promise<string> {
  const url = await postgres.createDatabase();
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 1 });
  await database.migrate();
  await database.close();
  return url;
}

const pool = new PglitePool(() => createInMemory({ startParams: START_PARAMETERS, tables: true }));

function databaseKind(): DatabaseConfig['kind'] {
  const kind = process.env['DATABASE'] ?? 'pglite';
  if (kind !== 'pglite' && kind !== 'postgres')
    throw new Error(`DATABASE is '${kind}'; it must be pglite or postgres`);
  return kind;
}
