// Databases for tests, of the kind that the variable DATABASE names: `pglite` (the default) or `postgres`.
import { openDatabase, type Database } from '../../app/src/db/database.js';
import type { DatabaseConfig } from '../../app/src/config.js';
import { startPostgres, type PostgresServer } from './postgres.js';

/** Which database the tests run on. */
export const DATABASE_KIND = databaseKind();

let server: Promise<PostgresServer> | undefined;

/** The run's PostgreSQL server, started when first asked for, stopped after the last test. */
export function sharedPostgres(): Promise<PostgresServer> {
  return (server ??= startPostgres());
}

// Loaded by a test file, this is a hook around all tests of the run.
after(async () => {
  const running = await server;
  server = undefined;
  await running?.stop();
});

/** How to reach a new, empty database. */
export async function emptyDatabaseConfig(): Promise<DatabaseConfig> {
  if (DATABASE_KIND === 'pglite') return { kind: 'pglite', folder: undefined };
  return { kind: 'postgres', url: await (await sharedPostgres()).createDatabase(), poolSize: 20 };
}

/** A new database with empty tables. Close it when done. */
export async function openTestDatabase(): Promise<Database> {
  const database = await openDatabase(await emptyDatabaseConfig());
  await database.migrate();
  return database;
}

function databaseKind(): DatabaseConfig['kind'] {
  const kind = process.env['DATABASE'] ?? 'pglite';
  if (kind !== 'pglite' && kind !== 'postgres')
    throw new Error(`DATABASE is '${kind}'; it must be pglite or postgres`);
  return kind;
}
