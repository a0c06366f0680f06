// Brings a database's tables and functions to those of this build.
import { sql } from 'drizzle-orm';
import { statement, type Queries, type Transaction, type Executor } from './database.js';
import { codeOf, DatabaseError } from './errors.js';
import { databaseVersions } from './schema/index.js';
import { sqlVersion } from './sql-version.js';

/** PostgreSQL's code for `create or replace` with another result or other names of parameters. */
const OTHER_SIGNATURE = '42P13';

export interface MigrateOptions {
  /** Applies the numbered migrations with drizzle's migrator of the driver. */
  readonly migrateTables: () => Promise<void>;
  /**
   * Whether processes of several builds can use the database at once. Then it stays with the newest build: an instance of an
   * earlier one that starts again changes nothing.
   */
  readonly isShared: boolean;
}

/** @throws DatabaseError when the database was made by another version */
export async function migrateDatabase(
  queries: Queries,
  { migrateTables, isShared }: MigrateOptions,
): Promise<void> {
  const before = await readMigrationState(queries);
  if (before.hasBuild || (isShared && before.hasHadBuild)) return;
  await migrateTables();
  const { hash, functions } = sqlVersion();
  await queries.transaction(async (tx) => {
    // Functions may call each other in any order.
    await tx.execute(sql`set local check_function_bodies = off`);
    for (const name of changedFunctions(before.functions)) {
      const file = functions.find((one) => one.name === name);
      if (file === undefined) await dropFunctions(tx, await signaturesOf(tx, name));
      else await createFunction(tx, name, file.text);
    }
    await tx.insert(databaseVersions).values({
      hash,
      functions: Object.fromEntries(functions.map((file) => [file.name, file.hash])),
    });
  });
}

/** Replaces the function in place where that is possible: statements of running instances keep calling it. */
async function createFunction(tx: Transaction, name: string, text: string): Promise<void> {
  const before = await signaturesOf(tx, name);
  const create = async (db: Transaction): Promise<void> => {
    // The embedded database takes one statement at a time.
    for (const statement of text.split(/^(?=CREATE OR REPLACE |COMMENT ON )/m)) {
      if (/^C[RO]/.test(statement)) await db.execute(sql.raw(statement));
    }
  };
  try {
    await tx.transaction(create);
  } catch (error) {
    if (codeOf(error) !== OTHER_SIGNATURE) throw error;
    await dropFunctions(tx, before);
    await create(tx);
  }
  // With other types of parameters, the earlier function is still there.
  if ((await signaturesOf(tx, name)).length > 1) await dropFunctions(tx, before);
}

async function signaturesOf(tx: Transaction, name: string): Promise<string[]> {
  const rows = await statement<{ signature: string }>(tx)`
    select oid::regprocedure::text as signature from pg_proc
    where proname = ${name} and pronamespace = current_schema()::regnamespace`;
  return rows.map(({ signature }) => signature);
}

/** With their triggers. */
async function dropFunctions(tx: Transaction, signatures: readonly string[]): Promise<void> {
  for (const signature of signatures)
    await tx.execute(sql.raw(`drop function if exists ${signature} cascade`));
}

// Compares a database with the SQL of this build.

/** The hash of each function's file by name. */
type FunctionHashes = Readonly<Record<string, string>>;

/** @throws DatabaseError when the database was made by another version, from which no migration leads to this one */
export async function readMigrationState(db: Executor) {
  const newest = await readNewest(db);
  const { hash } = sqlVersion();
  const [row] = (await exists(db, 'database_versions'))
    ? await statement<{ functions: FunctionHashes; present: string; had: boolean }>(db)`
      select functions, hash as present, exists (select 1 from database_versions where hash = ${hash}) as had
      from database_versions order by id desc limit 1`
    : [];
  return {
    /** Creation time of the newest applied migration, in Unix milliseconds; 0 before the first. */
    newest,
    functions: row?.functions ?? {},
    /** Whether it has exactly the SQL of this build now. */
    hasBuild: row?.present === hash,
    /** Whether it has had exactly the SQL of this build at some time. A newer build may have changed it since. */
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
function changedFunctions(present: FunctionHashes): string[] {
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
  const applied = await statement<{ hash: string; at: string }>(db)`
    select hash, created_at::text as at from drizzle.__drizzle_migrations order by created_at`;
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
  const [row] = await statement<{ exists: boolean }>(db)`select to_regclass(${table}) is not null as exists`;
  return row?.exists === true;
}
