// Backups of a service's database, made and restored as an operator does.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { DATABASE_KIND, sharedPostgres } from './database.js';
import { findBinaries } from './postgres.js';

const run = promisify(execFile);

/** A database that can be backed up and restored while no service has it open. */
export interface BackedUp {
  /** Variables that configure the database. */
  readonly environment: Readonly<Record<string, string>>;
  backUp(): Promise<void>;
  restore(): Promise<void>;
  remove(): Promise<void>;
}

/** A new database of the kind that DATABASE selects. */
export async function backedUpDatabase(): Promise<BackedUp> {
  const folder = await mkdtemp(join(tmpdir(), 'curvekit-backup-'));
  return DATABASE_KIND === 'postgres' ? dumped(folder) : copied(folder);
}

/** `pg_dump`, then `dropdb`, `createdb` and `pg_restore`. */
async function dumped(folder: string): Promise<BackedUp> {
  const url = await (await sharedPostgres()).createDatabase();
  const bin = findBinaries();
  const file = join(folder, 'backup.dump');
  const name = new URL(url).pathname.slice(1);
  const administer = async (statement: string) => {
    const client = new pg.Client({ connectionString: url.replace(/[^/]+$/, 'postgres') });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  return {
    environment: { DATABASE_URL: url },
    backUp: async () => {
      await run(join(bin, 'pg_dump'), ['--format=custom', `--file=${file}`, url]);
    },
    restore: async () => {
      await administer(`drop database ${name} with (force)`);
      await administer(`create database ${name}`);
      await run(join(bin, 'pg_restore'), ['--exit-on-error', '--no-owner', `--dbname=${url}`, file]);
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** `cp -r` of PGlite's folder. */
function copied(folder: string): BackedUp {
  const database = join(folder, 'database');
  const backup = join(folder, 'backup');
  return {
    environment: { DATABASE_FOLDER: database },
    backUp: () => cp(database, backup, { recursive: true }),
    restore: async () => {
      await rm(database, { recursive: true });
      await cp(backup, database, { recursive: true });
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
