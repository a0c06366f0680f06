// The operator's command line, run in this process with its own database.
import { join } from 'node:path';
import { readConfig, type DatabaseConfig } from '#app/config/config.js';
import { openDatabase, type Database } from '#app/db/database.js';
import { runCli } from '#app/operator/run.js';
import { emptyDatabaseConfig, openEmptyDatabase } from '#tests/database/database.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

export interface CliRun {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

export interface Cli {
  /** Variables of every command. A run can set more. */
  readonly environment: Readonly<Record<string, string>>;
  run(args: readonly string[], environment?: Record<string, string>): Promise<CliRun>;
  /** Runs with `--json`. @throws the command's output if it fails */
  json<T>(args: readonly string[], environment?: Record<string, string>): Promise<T>;
  /** The database. It stays open between commands, because opening it takes seconds. */
  database(): Promise<Database>;
  close(): Promise<void>;
}

/** Runs a command in this process. It may open a database only with `open`. */
export async function runCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>> = {},
  open: typeof openDatabase = () => Promise.reject(new Error('the database was opened')),
): Promise<CliRun> {
  const [out, err]: [string[], string[]] = [[], []];
  const exitCode = await runCli(args, {
    environment,
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    openDatabase: open,
    colour: false,
  });
  return { exitCode, out: out.join('\n'), err: err.join('\n') };
}

/** An open database for one command, which does not close it. */
export const lent = (database: Database) => () =>
  Promise.resolve({ ...database, close: () => Promise.resolve() });

/** A command line with an empty database and the given variables. */
export async function createCli(environment: Record<string, string> = {}): Promise<Cli> {
  const folder = temporaryFolder('cli');
  const config = await emptyDatabaseConfig();
  const database: Record<string, string> =
    config.kind === 'postgres' ? { DATABASE_URL: config.url } : { DATABASE_FOLDER: join(folder, 'database') };
  const own = { ...database, ...environment };

  let opened: Promise<Database> | undefined;
  const open = () =>
    (opened ??= config.kind === 'pglite' ? openEmptyDatabase() : openDatabase(readConfig(own).database));
  const isOwn = (wanted: DatabaseConfig) =>
    JSON.stringify(wanted) === JSON.stringify(readConfig(own).database);

  const run = (args: readonly string[], more: Record<string, string> = {}) =>
    runCommand(args, { ...own, ...more }, async (wanted) =>
      isOwn(wanted) ? lent(await open())() : openDatabase(wanted),
    );
  return {
    environment: own,
    run,
    json: async <T>(args: readonly string[], more?: Record<string, string>) => {
      const { exitCode, out, err } = await run([...args, '--json'], more);
      if (exitCode !== 0) throw new Error(`curvekit ${args.join(' ')} ended with ${exitCode}: ${err}${out}`);
      return JSON.parse(out) as T;
    },
    database: open,
    close: async () => {
      await (await opened)?.close();
    },
  };
}
