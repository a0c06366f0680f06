import { VersionedTransaction, type TransactionInstruction, type Connection } from '@solana/web3.js';
import {
  sendAndConfirm,
  type Deployment,
  createDeployment,
  graduatesByItself,
  sweepFees,
  TransactionError,
} from '@curvekit/sdk';
import { signForAuthority } from '../sending/sign.js';
import type { Context } from '../context.js';
import { askNode, rentMinimum } from '../chain/connection.js';
import type { Signer } from '../keys/signer.js';
import { inTrace, nameTransaction, withoutSpans, inSpan } from '../base/tracing/spans.js';
import { ExplainedError } from '../base/errors.js';

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

/** A graduation or a sweep is impossible. The message says why and what to do. */
export class GraduationFailedError extends ExplainedError {
  override readonly name = 'GraduationFailedError';
}

// Detects whether a launchpad's curves graduate by themselves: the fee receiver is the graduation program's PDA, and that
// program is deployed.

/** The deployment with the graduation program's PDA as fee receiver. */
export function graduating(deployment: Deployment): Deployment {
  return createDeployment({ ...deployment, feeReceiver: deployment.graduation.feeReceiver.address });
}

/** @throws NodeError when the RPC node does not answer */
export async function hasGraduationProgram(connection: Connection, deployment: Deployment): Promise<boolean> {
  if (!graduatesByItself(deployment)) return false;
  const account = await askNode(connection.getAccountInfo(deployment.graduation.programId));
  return account?.executable === true;
}

// Moves the platform fees from the graduation program's fee receiver to its treasury.

/** Lamports that a sweep would move: the fee receiver's balance above its rent-exempt minimum. */
export async function feesHeld({
  connection,
  deployment,
}: Pick<Context, 'connection' | 'deployment'>): Promise<bigint> {
  const { feeReceiver } = deployment.graduation;
  const [lamports, rent] = await askNode(
    Promise.all([connection.getBalance(feeReceiver.address, 'confirmed'), rentMinimum(connection, 0)]),
  );
  return lamports > rent ? BigInt(lamports - rent) : 0n;
}

/**
 * Sweeps all fees.
 *
 * @param admin signs and pays
 * @returns the signature; undefined when there was nothing to sweep
 * @throws GraduationFailedError when the cluster refuses it
 */
export async function sweep(
  context: Pick<Context, 'connection' | 'deployment'>,
  admin: Signer,
): Promise<string | undefined> {
  if ((await feesHeld(context)) === 0n) return undefined;
  const deployment = createDeployment({ ...graduating(context.deployment), admin: admin.publicKey });
  try {
    return await inSpan('sweep fees', {}, () =>
      submit(context, deployment, sweepFees({ deployment }), admin),
    );
  } catch (cause) {
    if (!(cause instanceof TransactionError)) throw cause;
    throw new GraduationFailedError(`the cluster refuses to sweep the fees: ${cause.message}`, { cause });
  }
}
