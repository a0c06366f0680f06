// Compares a database with the SQL of this build.
import { sql } from 'drizzle-orm';
import { rowsOf, type Executor } from './database.js';
import { DatabaseError } from './errors.js';
import { sqlVersion } from './sql-version.js';

/** The hash of each function's file by name. */
export type FunctionHashes = Readonly<Record<string, string>>;

/** What a database has. */
export interface MigrationState {
  /** Creation time of the newest applied migration, in Unix milliseconds; 0 before the first. */
  readonly newest: number;
  /** The functions that it has now. */
  readonly functions: FunctionHashes;
  /** Whether it has exactly the SQL of this build now. */
  readonly hasBuild: boolean;
  /** Whether it has had exactly the SQL of this build at some time. A newer build may have changed it since. */
  readonly hasHadBuild: boolean;
}

/** @throws DatabaseError when the database was made by another version, from which no migration leads to this one */
export async function readMigrationState(db: Executor): Promise<MigrationState> {
  const newest = await readNewest(db);
  const { hash } = sqlVersion();
  const [row] = (await exists(db, 'database_versions'))
    ? await rowsOf<{ functions: FunctionHashes; present: string; had: boolean }>(
        db,
        sql`select functions, hash as present, exists (select 1 from database_versions where hash = ${hash}) as had
            from database_versions order by id desc limit 1`,
      )
    : [];
  return {
    newest,
    functions: row?.functions ?? {},
    hasBuild: row?.present === hash,
    hasHadBuild: row?.had === true,
  };
}

/**
 * Names of the missing migrations, in order, and of the functions to create again. Empty for a database that a newer build has
 * upgraded: instances of the earlier build keep serving.
 *
 * @throws DatabaseError as `readMigrationState`
 */
export async function pendingMigrations(db: Executor): Promise<string[]> {
  const { newest, functions, hasHadBuild } = await readMigrationState(db);
  const missing = sqlVersion().migrations.filter(({ when }) => when > newest);
  return [...missing.map(({ tag }) => tag), ...(hasHadBuild ? [] : changedFunctions(functions))];
}

/** Names of this build's functions that differ from the given ones or are not among them, and of those that are gone. */
export function changedFunctions(present: FunctionHashes): string[] {
  const { functions } = sqlVersion();
  const names = new Set(functions.map(({ name }) => name));
  return [
    ...functions.filter(({ name, hash }) => present[name] !== hash).map(({ name }) => name),
    ...Object.keys(present).filter((name) => !names.has(name)),
  ];
}

/** @throws DatabaseError when an applied migration is not in this build, and not newer than its last one */
async function readNewest(db: Executor): Promise<number> {
  if (!(await exists(db, 'drizzle.__drizzle_migrations'))) return 0;
  const applied = await rowsOf<{ hash: string; at: string }>(
    db,
    sql`select hash, created_at::text as at from drizzle.__drizzle_migrations order by created_at`,
  );
  const { migrations } = sqlVersion();
  const last = migrations.at(-1)?.when ?? 0;
  for (const { hash, at } of applied) {
    const when = Number(at);
    const own = migrations.find((migration) => migration.when === when);
    if (own?.hash === hash || when > last) continue;
    throw new DatabaseError(
      `the database was made by another version of Curvekit: its migration of ${new Date(when).toISOString()} ` +
        `(${hash.slice(0, 8)}) ${own === undefined ? 'is not in this build' : `differs from this build's ${own.tag}`}; ` +
        'use the version that made it, or set DATABASE_URL (DATABASE_FOLDER) to a new database',
    );
  }
  return Number(applied.at(-1)?.at ?? 0);
}

async function exists(db: Executor, table: string): Promise<boolean> {
  const [row] = await rowsOf<{ exists: boolean }>(
    db,
    sql`select to_regclass(${table}) is not null as exists`,
  );
  return row?.exists === true;
}
