import type { Command } from 'commander';
import { work, type Registration } from '../command.js';

export function registerReindex(program: Command, registration: Registration): void {
  const command = program
    .command('reindex')
    .description(
      'delete everything derived from the chain, so that the service reads it again; rewards, claims and partners stay',
    );
  work(command, registration, async () => (await import('../work/reindex.js')).runReindex);
}
