import { feesHeld, sweep } from '../../graduation/sweep.js';
import { signerOf } from '../../signers/signer-of.js';
import type { SignerUrl } from '../../signers/signer-url.js';
import { connectCluster } from '../cluster.js';
import type { Invocation, Result } from '../command.js';
import { facts, sol } from '../format.js';
import { requireGraduationProgram } from '../graduation-program.js';

interface Options {
  readonly admin: Uint8Array | SignerUrl;
}

export async function runFeesSweep({ options, terminal }: Invocation<Options>): Promise<Result> {
  const cluster = await connectCluster(terminal);
  await requireGraduationProgram(cluster);
  const held = await feesHeld(cluster);
  const signature = await sweep(cluster, signerOf(options.admin));
  const treasury = cluster.deployment.graduation.treasury.toBase58();
  return {
    document: { treasury, held, signature: signature ?? null },
    text: facts([
      ['treasury', treasury],
      ['fees', `${sol(held)} SOL`],
      ['this run', signature === undefined ? 'nothing was left to sweep' : `swept them: ${signature}`],
    ]),
  };
}
