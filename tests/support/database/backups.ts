// Backups of a service's database, made and restored as an operator does.
import { cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import pg from 'pg';
import { bundled } from '../process/bundled.js';
import { temporaryFolder } from '../process/temporary-folder.js';
import { DATABASE_KIND, sharedPostgres } from './database.js';
import { findBinaries } from './postgres.js';
import { run } from '#tests/process/run.js';

const DEPLOY = fileURLToPath(new URL('../../../deploy/', import.meta.url));

/** A database that can be backed up and restored while no service has it open. */
export interface BackedUp {
  /** Variables that configure the database. */
  readonly environment: Readonly<Record<string, string>>;
  backUp(): Promise<void>;
  restore(): Promise<void>;
}

/** A new database of the kind that DATABASE selects. */
export async function backedUpDatabase(): Promise<BackedUp> {
  const folder = temporaryFolder('backup');
  return DATABASE_KIND === 'postgres' ? dumped(folder) : copied(folder);
}

/** With the scripts of `deploy/`, as docs/recover.md says. */
async function dumped(folder: string): Promise<BackedUp> {
  const url = await (await sharedPostgres()).createDatabase();
  const file = join(folder, 'backup.dump');
  return {
    environment: { DATABASE_URL: url },
    backUp: async () => {
      await rm(file, { force: true });
      await backUp(url, file);
    },
    restore: async () => {
      await emptied(url);
      expect(await restore(url, file)).to.contain('The ledger adds up.');
    },
  };
}

/** `deploy/backup.sh`. @returns what it printed @throws with what it printed when it fails */
export const backUp = (url: string, file: string): Promise<string> => script('backup.sh', url, [file]);

/** `deploy/restore.sh`. @returns what it printed @throws with what it printed when it fails */
export const restore = (url: string, file: string, ...options: string[]): Promise<string> =>
  script('restore.sh', url, [...options, file]);

/** Drops the database, also while clients are connected, and creates it again. */
export async function emptied(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  const client = new pg.Client({ connectionString: url.replace(/[^/]+$/, 'postgres') });
  await client.connect();
  try {
    await client.query(`drop database ${name} with (force)`);
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
}

async function script(name: string, url: string, args: readonly string[]): Promise<string> {
  const environment = {
    PATH: `${findBinaries()}:${process.env['PATH']}`,
    DATABASE_URL: url,
    CURVEKIT: `${process.execPath} ${await bundled('app/src/operator/main.ts')}`,
  };
  const { stdout } = await run(join(DEPLOY, name), args, { cwd: tmpdir(), env: environment });
  return stdout;
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
  };
}
