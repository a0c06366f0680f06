import type { Command } from 'commander';
import { work, type Registration } from '../command.js';

export function registerMigrateDb(program: Command, registration: Registration): void {
  const command = program
    .command('migrate-db')
    .description('bring the database tables up to date; safe to run twice, and while instances start')
    .option(
      '--grant <role>',
      'PostgreSQL: give this role the rights of the running service, and no others; the service then runs as it',
    )
    .option('--grant-api <role>', 'the same for the rights of processes with ROLE=api')
    .option(
      '--grant-signer <role>',
      'the same for the rights of `curvekit signer --claims`; --grant then gives no right to store claims',
    );
  work(command, registration, async () => (await import('../work/migrate-db.js')).runMigrateDb);
}
