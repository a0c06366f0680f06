import type { Command } from 'commander';
import { work, type Registration } from '../command.js';

export function registerMigrateDb(program: Command, registration: Registration): void {
  const command = program
    .command('migrate-db')
    .description('bring the database tables up to date; safe to run twice, and while instances start')
    .option(
      '--grant <role>',
      'PostgreSQL: give this role the rights of the running service, and no others; the service then runs as it',
    );
  work(command, registration, async () => (await import('../work/migrate-db.js')).runMigrateDb);
}
