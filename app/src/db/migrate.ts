// Brings a database's tables and functions to those of this build.
import { sql } from 'drizzle-orm';
import { rowsOf, type Queries, type Transaction } from './database.js';
import { codeOf } from './errors.js';
import { changedFunctions, readMigrationState } from './migration-state.js';
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
  const rows = await rowsOf<{ signature: string }>(
    tx,
    sql`select oid::regprocedure::text as signature from pg_proc
        where proname = ${name} and pronamespace = current_schema()::regnamespace`,
  );
  return rows.map(({ signature }) => signature);
}

/** With their triggers. */
async function dropFunctions(tx: Transaction, signatures: readonly string[]): Promise<void> {
  for (const signature of signatures)
    await tx.execute(sql.raw(`drop function if exists ${signature} cascade`));
}
