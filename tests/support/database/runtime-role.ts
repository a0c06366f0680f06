import { openDatabase } from '#app/db/database.js';
import { grantRuntimeRole } from '#app/db/runtime-role.js';
import { sharedPostgres } from './database.js';
import { asOwner, type PostgresServer } from './postgres.js';

/** The same database for another role. */
export function urlOf(url: string, role: string): string {
  const other = new URL(url);
  other.username = role;
  return other.href;
}

/** Creates a role that may only log in, unless the server has it. */
export async function createRole({ url }: PostgresServer, role: string): Promise<void> {
  await asOwner(
    url,
    `do $$ begin create role ${role} login; exception when duplicate_object then null; end $$`,
  );
}

/** The URL of a new database with tables, for a role that has the rights of the running service. */
export async function databaseOfRuntimeRole(): Promise<string> {
  const server = await sharedPostgres();
  const [url, role] = [await server.createDatabase(), 'curvekit_service'];
  await createRole(server, role);
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 4 });
  await database.migrate();
  await grantRuntimeRole(database.queries, role);
  await database.close();
  return urlOf(url, role);
}
