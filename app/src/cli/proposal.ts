// What a multisig must sign, for the operator to propose there: an authority that has no key of its own.
import { compileTransaction, simulateComputeUnits, type Deployment } from '@curvekit/sdk';
import type { Connection, PublicKey, TransactionInstruction } from '@solana/web3.js';
import bs58 from 'bs58';
import type { Result } from './command.js';
import { facts, grouped, renderTable } from './format.js';

/**
 * Simulates instructions as the authority, and describes them. Signs and sends nothing.
 *
 * @param about lines about what they do
 * @throws TransactionError when the cluster would refuse them
 */
export async function proposal(
  { connection, deployment }: { readonly connection: Connection; readonly deployment: Deployment },
  authority: PublicKey,
  instructions: TransactionInstruction[],
  about: readonly (readonly [label: string, value: string])[],
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
  const described = document.instructions.map(({ programId, accounts, data }) =>
    [
      facts([
        ['program', programId],
        ['data', data],
      ]),
      renderTable(
        [{ title: 'account' }, { title: 'signs' }, { title: 'written' }],
        accounts.map(({ address, isSigner, isWritable }) => ({
          cells: [address, isSigner ? 'yes' : '', isWritable ? 'yes' : ''],
        })),
      ),
    ].join('\n'),
  );
  const text = [
    facts([
      ...about,
      ['must sign', document.authority],
      ['simulated', `${grouped(BigInt(computeUnits))} compute units`],
    ]),
    ...described,
    `The same as an unsigned transaction in base58, which multisigs such as Squads import:\n${transaction}`,
    'Nothing was signed or sent.',
  ].join('\n\n');
  return { document: { ...Object.fromEntries(about), proposal: document }, text };
}
