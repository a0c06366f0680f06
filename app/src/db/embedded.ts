// PGlite: PostgreSQL compiled to WebAssembly, in this process, in a folder or in memory.
import { mkdirSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import type { EmbeddedConfig } from '../config.js';
import type { Database, Lease, Queries } from './database.js';
import { DatabaseError } from './errors.js';
import { lockFolder } from './folder-lock.js';
import { MIGRATIONS_FOLDER } from './migrations-folder.js';
import * as schema from './schema/index.js';

/** Opens the embedded database. @throws DatabaseError when another process has the folder open, or it is damaged */
export async function openEmbedded({ folder }: EmbeddedConfig): Promise<Database> {
  const unlock = folder === undefined ? () => undefined : lockFolder(folder);
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  let client: PGlite;
  try {
    client = await PGlite.create(folder === undefined ? {} : { dataDir: folder });
  } catch (cause) {
    unlock();
    throw new DatabaseError(
      `the embedded database in ${folder ?? 'memory'} does not open (${String(cause)}); restore or remove the folder`,
      { cause },
    );
  }
  return embeddedDatabase(client, unlock);
}

/** The database in a PGlite that is open already. @param onClosed called when it is closed */
export function embeddedDatabase(client: PGlite, onClosed: () => void = () => undefined): Database {
  const embedded = drizzle({ client, schema, casing: 'snake_case' });
  const queries = embedded as unknown as Queries;
  const leading = new Set<string>();
  let closing: Promise<void> | undefined;
  return {
    kind: 'pglite',
    queries,
    transaction: (work) => queries.transaction((tx) => work(tx)),
    migrate: () => migrate(embedded, { migrationsFolder: MIGRATIONS_FOLDER }),
    tryLead: (job) => Promise.resolve(lead(leading, job)),
    close: () => (closing ??= client.close().finally(onClosed)),
  };
}

/** There is one process, so the first to ask leads. */
function lead(leading: Set<string>, job: string): Lease | undefined {
  if (leading.has(job)) return undefined;
  leading.add(job);
  let held = true;
  return {
    lost: new AbortController().signal,
    release: () => {
      if (held) leading.delete(job);
      held = false;
      return Promise.resolve();
    },
  };
}
