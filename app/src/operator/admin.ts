// What a multisig must sign, for the operator to propose there: an authority that has no key of its own.
import bs58 from 'bs58';
import { Option, type Command } from 'commander';
import { compileTransaction, simulateComputeUnits, type Deployment } from '@curvekit/sdk';
import type { Connection, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { key } from './values.js';
import type { SignerUrl } from '../keys/signer-url.js';
import type { Result } from './command.js';
import { facts, grouped, renderTable } from './format.js';

export interface AdminOptions {
  /** Secret key, or where it is; undefined with `--propose`. */
  readonly admin?: Uint8Array | SignerUrl;
}

/** Adds `--admin` and `--propose`, of which one must be given. */
export function signedByAdmin(command: Command): Command {
  return command
    .option(
      '--admin <key>',
      "the key of the program's admin, who signs and pays: a keypair file or the URL of a signer",
      key,
    )
    .addOption(
      new Option(
        '--propose',
        'send nothing, and print what the admin (ADMIN_ADDRESS) must sign, to propose it in a multisig',
      ).conflicts('admin'),
    )
    .hook('preAction', (_, run) => {
      const { admin, propose } = run.opts<{ readonly admin?: unknown; readonly propose?: boolean }>();
      if (admin === undefined && propose !== true)
        run.error("error: give '--admin <key>', or '--propose' to print what a multisig must sign");
    });
}

interface Described {
  /** For scripts. */
  readonly document: object;
  /** For people. */
  readonly lines: readonly (readonly [label: string, value: string])[];
}

/**
 * Simulates instructions as the authority, and describes them. Signs and sends nothing.
 *
 * @throws TransactionError when the cluster would refuse them
 */
export async function proposal(
  { connection, deployment }: { readonly connection: Connection; readonly deployment: Deployment },
  authority: PublicKey,
  instructions: TransactionInstruction[],
  described: Described,
): Promise<Result> {
  const parts = { payer: authority, instructions };
  const computeUnits = await simulateComputeUnits(connection, parts, { deployment });
  const { blockhash } = await connection.getLatestBlockhash();
  const transaction = bs58.encode(compileTransaction(parts, blockhash).serialize());
  const document = {
    authority: authority.toBase58(),
    instructions: instructions.map(({ programId, keys, data }) => ({
      programId: programId.toBase58(),
      accounts: keys.map(({ pubkey, isSigner, isWritable }) => ({
        address: pubkey.toBase58(),
        isSigner,
        isWritable,
      })),
      data: data.toString('base64'),
    })),
    transaction,
    computeUnits,
  };
  const listed = document.instructions.map(({ programId, accounts, data }) =>
    [
      facts([
        ['program', programId],
        ['data', data],
      ]),
      renderTable(
        ['account', 'signs', 'written'],
        accounts.map(({ address, isSigner, isWritable }) => [
          address,
          isSigner ? 'yes' : '',
          isWritable ? 'yes' : '',
        ]),
      ),
    ].join('\n'),
  );
  const text = [
    facts([
      ...described.lines,
      ['must sign', document.authority],
      ['simulated', `${grouped(BigInt(computeUnits))} compute units`],
    ]),
    ...listed,
    `The same as an unsigned transaction in base58, which multisigs such as Squads import:\n${transaction}`,
    'Nothing was signed or sent.',
  ].join('\n\n');
  return { document: { ...described.document, proposal: document }, text };
}
