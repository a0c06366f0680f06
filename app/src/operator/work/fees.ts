import { sweepFees } from '@curvekit/sdk';
import { graduating } from '../../graduation/graduating.js';
import { feesHeld, sweep } from '../../graduation/sweep.js';
import { signerOf } from '../../keys/signer-of.js';
import type { AdminOptions } from '../admin-option.js';
import { traced } from '../chain-work.js';
import { connectCluster } from '../cluster.js';
import type { Invocation, Result } from '../command.js';
import { facts, sol } from '../format.js';
import { requireGraduationProgram } from '../graduation-program.js';
import { proposal } from '../proposal.js';

export async function runFeesSweep({ options, terminal }: Invocation<AdminOptions>): Promise<Result> {
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
