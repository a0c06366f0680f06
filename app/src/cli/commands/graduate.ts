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
      'the key of who pays (a keypair file or the URL of a signer) the network fee and lends 0.0062 SOL within the transaction; GRADUATION_PAYER_KEYPAIR when left out',
      key,
    );
  work(command, registration, async () => (await import('../work/graduate.js')).runGraduate);
}
