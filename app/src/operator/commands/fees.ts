import type { Command } from 'commander';
import { sweepFees } from '@curvekit/sdk';
import { work, type Registration, type Invocation, type Result } from '../command.js';
import { signedByAdmin, type AdminOptions, proposal } from '../admin.js';
import { graduating, feesHeld, sweep } from '../../graduation/submit.js';
import { signerOf } from '../../keys/signer-of.js';
import { traced, connectCluster, requireGraduationProgram } from '../session.js';
import { facts, sol } from '../format.js';

export function register(group: Command, registration: Registration): void {
  const command = group
    .command('sweep')
    .description("move all fees from the graduation program's fee receiver to its treasury");
  work(signedByAdmin(command), registration, runFeesSweep);
}

async function runFeesSweep({ options, terminal }: Invocation<AdminOptions>): Promise<Result> {
  const cluster = await connectCluster(terminal);
  await requireGraduationProgram(cluster);
  const held = await feesHeld(cluster);
  const treasury = cluster.deployment.graduation.treasury.toBase58();
  const swept = { treasury, held };
  const about = [
    ['treasury', treasury],
    ['fees', `${sol(held)} SOL`],
  ] as const;
  if (options.admin === undefined) {
    const deployment = graduating(cluster.deployment);
    return proposal(cluster, deployment.admin, sweepFees({ deployment }), {
      document: swept,
      lines: about,
    });
  }
  const admin = signerOf(options.admin);
  const signature = await traced(cluster.config, () => sweep(cluster, admin));
  return {
    document: { ...swept, signature: signature ?? null },
    text: facts([
      ...about,
      ['this run', signature === undefined ? 'nothing was left to sweep' : `swept them: ${signature}`],
    ]),
  };
}
