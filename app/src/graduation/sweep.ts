// Moves the platform fees from the graduation program's fee receiver to its treasury.
import { createDeployment, sweepFees, TransactionError } from '@curvekit/sdk';
import type { Context } from '../context.js';
import { askNode, rentMinimum } from '../chain/connection.js';
import type { Signer } from '../keys/signer.js';
import { inSpan } from '../base/tracing/spans.js';
import { GraduationFailedError } from './errors.js';
import { graduating } from './graduating.js';
import { submit } from './submit.js';

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
