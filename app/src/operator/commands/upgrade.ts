import type { Command } from 'commander';
import { work, type Registration } from '../command.js';
import { address } from '../values.js';

export function registerUpgrade(program: Command, registration: Registration): void {
  const command = program
    .command('upgrade')
    .description(
      'print what the upgrade authority, which should be a multisig, must sign to upgrade a program from a buffer. Sends nothing',
    )
    .requiredOption('--buffer <address>', 'what `solana program write-buffer` has made', address)
    .option('--program <address>', 'the program; PROGRAM_ID when left out', address);
  work(command, registration, async () => (await import('../work/upgrade.js')).runUpgrade);
}
