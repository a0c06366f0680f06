import { VersionedTransaction, type TransactionInstruction } from '@solana/web3.js';
import { sendAndConfirm, type Deployment } from '@curvekit/sdk';
import { signForAuthority } from '../sending/sign.js';
import type { Context } from '../context.js';
import { askNode } from '../chain/connection.js';
import type { Signer } from '../keys/signer.js';
import { inTrace, nameTransaction, withoutSpans } from '../base/tracing/spans.js';

/**
 * Signs and sends a transaction and waits for confirmation. Stores nothing, so use it only for work that is safe to repeat.
 *
 * @returns its signature
 * @throws TransactionError when the cluster refuses it; TransactionExpiredError, OutcomeUnknownError as `sendAndConfirm`
 */
export async function submit(
  { connection }: Pick<Context, 'connection'>,
  deployment: Deployment,
  instructions: readonly TransactionInstruction[],
  payer: Signer,
): Promise<string> {
  const { signature, transaction, lastValidBlockHeight } = await askNode(
    signForAuthority(connection, deployment, instructions, [payer]),
  );
  const signed = {
    transaction: VersionedTransaction.deserialize(Buffer.from(transaction, 'base64')),
    lastValidBlockHeight,
  };
  nameTransaction(signature);
  await inTrace('land', {}, () =>
    withoutSpans(() => sendAndConfirm(connection, signed, { deployment, skipPreflight: true })),
  );
  return signature;
}
