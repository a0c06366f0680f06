import { readConfig } from '../../config/config.js';
import { pendingMigrations } from '../../db/migration-state.js';
import type { Invocation, Result } from '../command.js';

export async function runMigrateDb({ terminal }: Invocation<object>): Promise<Result> {
  const database = await terminal.openDatabase(readConfig(terminal.environment).database);
  try {
    const applied = await pendingMigrations(database.queries);
    await database.migrate();
    const text =
      applied.length === 0 ? 'The tables are up to date.' : `Migrations applied: ${applied.join(', ')}.`;
    return { document: { database: database.kind, applied }, text };
  } finally {
    await database.close();
  }
}
