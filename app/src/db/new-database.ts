// The files of a new embedded database. PGlite makes them in three seconds, and reads them in a tenth of that: they are
// made once, and stored in the folder of fetched binaries.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, openAsBlob } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { migrateDatabase } from './migrate.js';
import { sqlVersion, MIGRATIONS_FOLDER } from './sql-version.js';
import * as schema from './schema/index.js';

/** The folder that `npm run fetch:fixtures` fills too. */
const CACHE_FOLDER = fileURLToPath(new URL('../../../.cache', import.meta.url));
/** A usual segment of the write-ahead log is 16 MiB, and each opening reads it. */
const INITDB_PARAMETERS = ['--wal-segsize=1'];
/** A checkpoint then leaves four segments, of seven. */
const SHORT_LOG = ['-c', 'min_wal_size=2MB', '-c', 'max_wal_size=2MB'];
/** Two fifths of the files. `create database` needs them, and nothing here creates another one. */
const UNUSED_DATABASES = ['template0', 'template1'];

export interface NewDatabaseOptions extends Pick<PGliteOptions, 'startParams'> {
  /** Whether it has the tables of this version. */
  readonly tables: boolean;
  /** Folder where the files are stored for the next database. */
  readonly cache?: string;
}

export async function createInMemory({
  tables,
  cache = CACHE_FOLDER,
  ...options
}: NewDatabaseOptions): Promise<PGlite> {
  const kind = tables ? 'tables' : 'empty';
  const file = join(cache, `database-${kind}-${fingerprint(tables)}.tar`);
  if (existsSync(file)) {
    try {
      // Not its bytes: PGlite would keep them, 19 MB, as long as it is open.
      return await PGlite.create({ ...options, loadDataDir: await openAsBlob(file) });
    } catch {
      // Damaged: it is made again.
    }
  }
  const files = await makeFiles(options, tables);
  await keep(file, `database-${kind}-`, files);
  // Of the stored file, memory keeps nothing.
  return PGlite.create({ ...options, loadDataDir: existsSync(file) ? await openAsBlob(file) : files });
}

async function makeFiles(options: PGliteOptions, tables: boolean): Promise<Blob> {
  const startParams = [...(options.startParams ?? PGlite.defaultStartParams), ...SHORT_LOG];
  const client = await PGlite.create({ ...options, startParams, initDbStartParams: INITDB_PARAMETERS });
  for (const unused of UNUSED_DATABASES) {
    await client.query(`update pg_database set datistemplate = false where datname = '${unused}'`);
    await client.exec(`drop database ${unused}`);
  }
  if (tables) {
    const queries = drizzle({ client, schema, casing: 'snake_case' });
    const migrateTables = () => migrate(queries, { migrationsFolder: MIGRATIONS_FOLDER });
    await migrateDatabase(queries, { migrateTables, isShared: false });
  }
  await client.exec('checkpoint');
  const files = await client.dumpDataDir('none');
  await client.close();
  return files;
}

/** Replaces the files of other versions. Without write access the next database is made anew. */
async function keep(file: string, prefix: string, files: Blob): Promise<void> {
  const folder = dirname(file);
  const unfinished = join(folder, `unfinished-${randomUUID()}`);
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(unfinished, Buffer.from(await files.arrayBuffer()));
    for (const name of await readdir(folder))
      if (name.startsWith(prefix)) await rm(join(folder, name), { force: true });
    await rename(unfinished, file);
  } catch {
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
}

/** Hash of what the files depend on: PGlite's version, how they are made, and the migrations and functions. */
function fingerprint(tables: boolean): string {
  const require = createRequire(import.meta.url);
  const manifest = join(dirname(require.resolve('@electric-sql/pglite')), '..', 'package.json');
  const { version } = require(manifest) as { version: string };
  const hash = createHash('sha256').update(
    JSON.stringify([version, INITDB_PARAMETERS, SHORT_LOG, UNUSED_DATABASES]),
  );
  if (tables) hash.update(sqlVersion().hash);
  return hash.digest('hex').slice(0, 16);
}
