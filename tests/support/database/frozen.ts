// Databases as an earlier version left them, with the data of a whole story: `tests/service/database/frozen`. `FREEZE=FOLDER
// DATABASE=postgres npx mocha tests/service/instances/story.test.ts` writes that of the present version into a folder.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Database } from '#app/db/database.js';
import { embeddedDatabase, START_PARAMETERS } from '#app/db/embedded.js';
import { createInMemory } from '#app/db/new-database.js';
import { asOwner, findBinaries, type PostgresServer } from './postgres.js';

const FOLDER = fileURLToPath(new URL('../../service/database/frozen/', import.meta.url));
const SUFFIX = '.sql.gz';

/** Days on which a version was frozen. */
export const FROZEN = readdirSync(FOLDER)
  .filter((name) => name.endsWith(SUFFIX))
  .map((name) => name.slice(0, -SUFFIX.length));

const sqlOf = (day: string): string => gunzipSync(readFileSync(join(FOLDER, day + SUFFIX))).toString();

/** The frozen database on PostgreSQL. */
export async function frozenOnPostgres(day: string, server: PostgresServer): Promise<string> {
  const url = await server.createDatabase();
  await asOwner(url, sqlOf(day));
  return url;
}

/** The frozen database in memory. */
export async function frozenEmbedded(day: string): Promise<Database> {
  const client = await createInMemory({ startParams: START_PARAMETERS, tables: false });
  await client.exec(sqlOf(day));
  await client.exec('reset all');
  return embeddedDatabase(client);
}

/** Writes each database of a server into a folder. */
export async function freeze(server: PostgresServer, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const url of server.databases()) {
    const options = ['--inserts', '--rows-per-insert=500', '--no-owner', '--no-privileges', url];
    const { stdout } = await promisify(execFile)(join(findBinaries(), 'pg_dump'), options);
    // Commands of psql.
    const statements = stdout.replace(/^\\.*$/gm, '');
    await writeFile(join(folder, new URL(url).pathname.slice(1) + SUFFIX), gzipSync(statements));
  }
}
