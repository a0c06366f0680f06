import { openDatabase } from '#app/db/database.js';
import { grantRole, type ProcessKind } from '#app/db/roles.js';
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

/** The URLs of a new database for a role of each kind of process, which has its rights. */
export async function databaseOfRoles(): Promise<Record<ProcessKind | 'owner', string>> {
  const server = await sharedPostgres();
  const owner = await server.createDatabase();
  const database = await openDatabase({ kind: 'postgres', url: owner, poolSize: 4 });
  await database.migrate();
  const urls = { owner } as Record<ProcessKind | 'owner', string>;
  for (const kind of ['service', 'api', 'signer'] as const) {
    await createRole(server, `curvekit_as_${kind}`);
    await grantRole(database.queries, `curvekit_as_${kind}`, kind, { storesClaims: false });
    urls[kind] = urlOf(owner, `curvekit_as_${kind}`);
  }
  await database.close();
  return urls;
}

/** The URL of a new database with tables, for a role that has the rights of the running service. */
export async function databaseOfRuntimeRole(): Promise<string> {
  const server = await sharedPostgres();
  const [url, role] = [await server.createDatabase(), 'curvekit_service'];
  await createRole(server, role);
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 4 });
  await database.migrate();
  await grantRole(database.queries, role, 'service', { storesClaims: true });
  await database.close();
  return urlOf(url, role);
}
