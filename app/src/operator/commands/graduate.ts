import type { Command } from 'commander';
import { PublicKey } from '@solana/web3.js';
import { poolAddress } from '@curvekit/sdk';
import { CommandError, work, type Registration, type Invocation, type Result } from '../command.js';
import { address, key } from '../values.js';
import { graduateToken } from '../../graduation/graduate-token.js';
import { signerOf } from '../../keys/signer-of.js';
import type { SignerUrl } from '../../keys/signer-url.js';
import { traced, connectCluster, requireGraduationProgram } from '../session.js';
import { facts } from '../format.js';

export function register(command: Command, registration: Registration): void {
  command
    .argument('<mint>', 'the token', address)
    .option(
      '--payer <key>',
      'keypair file, or URL of a signer, of the wallet that pays the network fee and lends 0.0062 SOL within the transaction; without it GRADUATION_PAYER_KEYPAIR',
      key,
    );
  work(command, registration, runGraduate);
}

interface Options {
  readonly payer?: Uint8Array | SignerUrl;
}

async function runGraduate({ args: [mint = ''], options, terminal }: Invocation<Options>): Promise<Result> {
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
