// The SQL of this build: the numbered migrations of `app/database`, the functions, one file each in `app/src/*/sql`, and what
// tables and columns mean, in `app/database/comments`.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrationFiles } from 'drizzle-orm/migrator';

/** The numbered migrations. `npm run db:migration -w app -- NAME` begins one. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../database', import.meta.url));
const FEATURES_FOLDER = fileURLToPath(new URL('..', import.meta.url));
const COMMENTS_FOLDER = join(MIGRATIONS_FOLDER, 'comments');

export interface Migration {
  readonly tag: string;
  /** When it was generated, in Unix milliseconds. The database stores it. */
  readonly when: number;
  readonly hash: string;
}

/** A file that runs again when it changes: a function with the triggers that call it, or comments. */
export interface RepeatedFile {
  /** The name of the function and of its file; of comments `comments/` and that of the file. */
  readonly name: string;
  readonly text: string;
  readonly hash: string;
}

export interface SqlVersion {
  readonly hash: string;
  readonly migrations: readonly Migration[];
  readonly functions: readonly RepeatedFile[];
}

let ofBuild: SqlVersion | undefined;

/** Read once: a process keeps the version that it began with, even when another build replaces the files. */
export function sqlVersion(): SqlVersion {
  return (ofBuild ??= readSqlVersion());
}

function readSqlVersion(): SqlVersion {
  const journal = JSON.parse(readFileSync(join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8')) as {
    readonly entries: readonly { readonly tag: string }[];
  };
  const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map(
    ({ folderMillis: when, hash }, index) => ({ tag: journal.entries[index]!.tag, when, hash }),
  );
  const functions = functionFiles().map((path) => {
    const text = readFileSync(path, 'utf8');
    return { name: basename(path, '.sql'), text, hash: sha256(text) };
  });
  for (const name of readdirSync(COMMENTS_FOLDER).sort()) {
    const text = readFileSync(join(COMMENTS_FOLDER, name), 'utf8');
    functions.push({ name: `comments/${basename(name, '.sql')}`, text, hash: sha256(text) });
  }
  const parts = [...migrations.map(({ hash }) => hash), ...functions.map(({ name, hash }) => [name, hash])];
  return { hash: sha256(JSON.stringify(parts)), migrations, functions };
}

/** Paths of the functions' files, ordered by folder and name. */
export function functionFiles(): string[] {
  return readdirSync(FEATURES_FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(FEATURES_FOLDER, name, 'sql'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.sql'))
    .sort();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
