import { readConfig } from '../../config/config.js';
import { pendingMigrations } from '../../db/migration-state.js';
import { grantRuntimeRole } from '../../db/runtime-role.js';
import type { Invocation, Result } from '../command.js';
import { CommandError } from '../errors.js';

interface MigrateDbOptions {
  readonly grant?: string;
}

export async function runMigrateDb({
  terminal,
  options: { grant },
}: Invocation<MigrateDbOptions>): Promise<Result> {
  const database = await terminal.openDatabase(readConfig(terminal.environment).database);
  try {
    const applied = await pendingMigrations(database.queries);
    if (grant !== undefined && database.kind !== 'postgres')
      throw new CommandError('--grant is for PostgreSQL: the embedded database has no roles');
    await database.migrate();
    if (grant !== undefined) await grantRuntimeRole(database.queries, grant);
    const text = [
      applied.length === 0 ? 'The tables are up to date.' : `Migrations applied: ${applied.join(', ')}.`,
      ...(grant === undefined ? [] : [`${grant} has the rights of the running service, and no others.`]),
    ].join(' ');
    return { document: { database: database.kind, applied, ...(grant !== undefined && { grant }) }, text };
  } finally {
    await database.close();
  }
}
