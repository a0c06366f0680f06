import type { Keypair } from '@solana/web3.js';
import type { Command } from 'commander';
import { feesHeld, sweep } from '../../graduation/sweep.js';
import { connectCluster } from '../cluster.js';
import { work, type Registration } from '../command.js';
import { facts, sol } from '../format.js';
import { keypairFile } from '../values.js';
import { requireGraduationProgram } from './graduate.js';

export function registerFees(program: Command, registration: Registration): void {
  const group = program
    .command('fees')
    .description('platform fees of a launchpad whose curves graduate by themselves');
  const command = group
    .command('sweep')
    .description("move all fees from the graduation program's fee receiver to its treasury")
    .requiredOption('--admin <file>', "keypair file of the program's admin, who signs and pays", keypairFile);
  work<{ readonly admin: Keypair }>(command, registration, async ({ options, terminal }) => {
    const cluster = await connectCluster(terminal);
    await requireGraduationProgram(cluster);
    const held = await feesHeld(cluster);
    const signature = await sweep(cluster, options.admin);
    const treasury = cluster.deployment.graduation.treasury.toBase58();
    return {
      document: { treasury, held, signature: signature ?? null },
      text: facts([
        ['treasury', treasury],
        ['fees', `${sol(held)} SOL`],
        ['this run', signature === undefined ? 'nothing was left to sweep' : `swept them: ${signature}`],
      ]),
    };
  });
}
