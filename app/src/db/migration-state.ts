// Finds the migrations that a database still lacks.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from './database.js';
import { MIGRATIONS_FOLDER } from './migrations-folder.js';

interface Journal {
  readonly entries: readonly { readonly when: number; readonly tag: string }[];
}

/** Names of the missing migrations, in order. */
export async function pendingMigrations(db: Executor): Promise<string[]> {
  const journal = JSON.parse(readFileSync(join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8')) as Journal;
  const newest = await newestApplied(db);
  return journal.entries.filter(({ when }) => when > newest).map(({ tag }) => tag);
}

/** Creation time of the newest applied migration, as stored by the migrator; 0 before the first. */
async function newestApplied(db: Executor): Promise<number> {
  const [table] = await rowsOf<{ exists: boolean }>(
    db,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  );
  if (table?.exists !== true) return 0;
  const [row] = await rowsOf<{ newest: string | null }>(
    db,
    sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`,
  );
  return Number(row?.newest ?? 0);
}
