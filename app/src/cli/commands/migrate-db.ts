import type { Command } from 'commander';
import { readConfig } from '../../config/config.js';
import { pendingMigrations } from '../../db/migration-state.js';
import { work, type Registration } from '../command.js';

export function registerMigrateDb(program: Command, registration: Registration): void {
  const command = program
    .command('migrate-db')
    .description('bring the database tables up to date; safe to run twice, and while instances start');
  work(command, registration, async ({ terminal }) => {
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
  });
}
