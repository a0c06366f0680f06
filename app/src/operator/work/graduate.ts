import { PublicKey } from '@solana/web3.js';
import { poolAddress } from '@curvekit/sdk';
import { graduateToken } from '../../graduation/graduate-token.js';
import { signerOf } from '../../keys/signer-of.js';
import type { SignerUrl } from '../../keys/signer-url.js';
import { traced } from '../chain-work.js';
import { connectCluster } from '../cluster.js';
import type { Invocation, Result } from '../command.js';
import { CommandError } from '../errors.js';
import { facts } from '../format.js';
import { requireGraduationProgram } from '../graduation-program.js';

interface Options {
  readonly payer?: Uint8Array | SignerUrl;
}

export async function runGraduate({
  args: [mint = ''],
  options,
  terminal,
}: Invocation<Options>): Promise<Result> {
  const cluster = await connectCluster(terminal);
  await requireGraduationProgram(cluster);
  const payer = options.payer === undefined ? cluster.config.graduationPayer : signerOf(options.payer);
  if (payer === undefined)
    throw new CommandError('there is no key that pays: give --payer, or set GRADUATION_PAYER_KEYPAIR');
  const token = new PublicKey(mint);
  const signature = await traced(cluster.config, () => graduateToken(cluster, payer, token));
  const pool = poolAddress(token, cluster.deployment).address.toBase58();
  return {
    document: { mint, pool, signature: signature ?? null },
    text: facts([
      ['mint', mint],
      ['pool', pool],
      ['this run', signature === undefined ? 'nothing was left to do' : `graduated it: ${signature}`],
    ]),
  };
}
