import type { Command } from 'commander';
import { work, type Registration } from '../command.js';
import { address } from '../values.js';

export function registerMigrate(program: Command, registration: Registration): void {
  const command = program
    .command('migrate')
    .description(
      "migrate a graduated curve and contribute the token's share to its community storages, in one transaction. Run it again to finish what is missing. Waits until finalized",
    )
    .argument('<mint>', 'the token', address);
  work(command, registration, async () => (await import('../work/migrate.js')).runMigrate);
}
