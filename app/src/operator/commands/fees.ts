import type { Command } from 'commander';
import { work, type Registration } from '../command.js';
import { signedByAdmin } from '../admin-option.js';

export function registerFees(program: Command, registration: Registration): void {
  const group = program
    .command('fees')
    .description('platform fees of a launchpad whose curves graduate by themselves');
  const command = signedByAdmin(
    group
      .command('sweep')
      .description("move all fees from the graduation program's fee receiver to its treasury"),
  );
  work(command, registration, async () => (await import('../work/fees.js')).runFeesSweep);
}
