import type { Command } from 'commander';
import { CommandError, work, type Registration, type Invocation, type Result } from '../command.js';
import { readConfig } from '../../config/config.js';
import { pendingMigrations } from '../../db/migrate.js';
import { grantRole, type ProcessKind } from '../../db/roles.js';

export function register(command: Command, registration: Registration): void {
  command
    .option(
      '--grant <role>',
      'PostgreSQL: give this role the rights of the running service, and no others; the service then runs as it',
    )
    .option('--grant-api <role>', 'the same for the rights of processes with ROLE=api')
    .option(
      '--grant-signer <role>',
      'the same for the rights of `curvekit signer --claims`; --grant then gives no right to store claims',
    );
  work(command, registration, runMigrateDb);
}

interface MigrateDbOptions {
  readonly grant?: string;
  readonly grantApi?: string;
  readonly grantSigner?: string;
}

const WORDS: Readonly<Record<ProcessKind, string>> = {
  service: 'the running service',
  api: 'a process with ROLE=api',
  signer: 'the signer that pays claims',
};

async function runMigrateDb({ terminal, options }: Invocation<MigrateDbOptions>): Promise<Result> {
  const database = await terminal.openDatabase(readConfig(terminal.environment).database);
  const grants = [
    ['service', options.grant],
    ['api', options.grantApi],
    ['signer', options.grantSigner],
  ] as const satisfies readonly [ProcessKind, string | undefined][];
  const granted = grants.flatMap(([kind, role]) => (role === undefined ? [] : [{ kind, role }]));
  try {
    const applied = await pendingMigrations(database.queries);
    if (granted.length > 0 && database.kind !== 'postgres')
      throw new CommandError('--grant is for PostgreSQL: the embedded database has no roles');
    const twice = granted.find(({ role }, index) => granted.findIndex((one) => one.role === role) < index);
    if (twice !== undefined)
      throw new CommandError(
        `the role '${twice.role}' is given the rights of two processes: name one role for each`,
      );
    await database.migrate();
    for (const { kind, role } of granted)
      await grantRole(database.queries, role, kind, { storesClaims: options.grantSigner === undefined });
    const text = [
      applied.length === 0 ? 'The tables are up to date.' : `Migrations applied: ${applied.join(', ')}.`,
      ...granted.map(({ kind, role }) => `${role} has the rights of ${WORDS[kind]}, and no others.`),
    ].join(' ');
    return { document: { database: database.kind, applied, ...options }, text };
  } finally {
    await database.close();
  }
}
