import type { Command } from 'commander';
import { work, type Registration } from '../command.js';
import { key } from '../values.js';

export function registerFees(program: Command, registration: Registration): void {
  const group = program
    .command('fees')
    .description('platform fees of a launchpad whose curves graduate by themselves');
  const command = group
    .command('sweep')
    .description("move all fees from the graduation program's fee receiver to its treasury")
    .requiredOption(
      '--admin <key>',
      "the key of the program's admin, who signs and pays: a keypair file or the URL of a signer",
      key,
    );
  work(command, registration, async () => (await import('../work/fees.js')).runFeesSweep);
}
