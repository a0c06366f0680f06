import { PublicKey, type Keypair } from '@solana/web3.js';
import type { Command } from 'commander';
import { poolAddress } from '@curvekit/sdk';
import { graduateToken } from '../../graduation/graduate-token.js';
import { hasGraduationProgram } from '../../graduation/graduating.js';
import { connectCluster, type CommandCluster } from '../cluster.js';
import { work, type Registration } from '../command.js';
import { CommandError } from '../errors.js';
import { facts } from '../format.js';
import { address, keypairFile } from '../values.js';

interface Options {
  readonly payer?: Keypair;
}

export function registerGraduate(program: Command, registration: Registration): void {
  const command = program
    .command('graduate')
    .description(
      'take a sold-out curve to its pool, where curves graduate by themselves. Anyone may, with any key; done twice it changes nothing',
    )
    .argument('<mint>', 'the token', address)
    .option(
      '--payer <file>',
      'keypair file of who pays the network fee and lends 0.0062 SOL within the transaction; GRADUATION_PAYER_KEYPAIR when left out',
      keypairFile,
    );
  work<Options>(command, registration, async ({ args: [mint = ''], options, terminal }) => {
    const cluster = await connectCluster(terminal);
    await requireGraduationProgram(cluster);
    const payer = options.payer ?? cluster.config.graduationPayer;
    if (payer === undefined)
      throw new CommandError('there is no key that pays: give --payer, or set GRADUATION_PAYER_KEYPAIR');
    const token = new PublicKey(mint);
    const signature = await graduateToken(cluster, payer, token);
    const pool = poolAddress(token, cluster.deployment).address.toBase58();
    return {
      document: { mint, pool, signature: signature ?? null },
      text: facts([
        ['mint', mint],
        ['pool', pool],
        ['this run', signature === undefined ? 'nothing was left to do' : `graduated it: ${signature}`],
      ]),
    };
  });
}

/** @throws CommandError when the launchpad has no graduation program: there a key migrates the curves */
export async function requireGraduationProgram({ connection, deployment }: CommandCluster): Promise<void> {
  if (await hasGraduationProgram(connection, deployment)) return;
  throw new CommandError(
    `there is no graduation program at ${deployment.graduation.programId.toBase58()}: here the holder of the fee receiver's key migrates (\`curvekit migrate\`). With a graduation program of your own, set GRADUATION_PROGRAM_ID`,
  );
}
