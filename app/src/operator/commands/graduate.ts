import type { Command } from 'commander';
import { work, type Registration } from '../command.js';
import { address, key } from '../values.js';

export function registerGraduate(program: Command, registration: Registration): void {
  const command = program
    .command('graduate')
    .description(
      'take a sold-out curve to its pool, where curves graduate by themselves. Anyone may, with any key; done twice it changes nothing',
    )
    .argument('<mint>', 'the token', address)
    .option(
      '--payer <key>',
      'keypair file, or URL of a signer, of the wallet that pays the network fee and lends 0.0062 SOL within the transaction; without it GRADUATION_PAYER_KEYPAIR',
      key,
    );
  work(command, registration, async () => (await import('../work/graduate.js')).runGraduate);
}
