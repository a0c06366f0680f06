// One printed step of a demo: the changes and the cost of a transaction.
import { TransactionError, type Price } from '@curvekit/sdk';
import type { LocalCluster, SentTransaction } from '@curvekit/testing';
import { CommandError } from '../scripts/command-line.js';
import { bytesOf } from './effects.js';

export interface Step {
  readonly title: string;
  /** The changes, in a few short lines. */
  readonly change: string;
  /** `refused`: by the program, as expected. */
  readonly outcome: 'done' | 'refused';
  /** Platform fee of a trade in lamports. */
  readonly platformFee?: bigint;
  /** The price afterwards, of the curve or the pool. */
  readonly price?: Price;
  /** The curve's progress to graduation afterwards, in basis points. */
  readonly progressBps?: number;
  readonly computeUnits?: number;
  /** Size of the transaction. */
  readonly bytes?: number;
  readonly signature?: string;
  /** The error of the program that refused. */
  readonly refusal?: { readonly code: number; readonly name: string };
}

/** A step of the demo had an unexpected result. */
export class DemoError extends CommandError {
  override readonly name = 'DemoError';
}

/** The cost of a successful transaction. */
export function costOf({ computeUnits, bytes, signature }: SentTransaction): Partial<Step> {
  return { computeUnits, bytes, signature };
}

/**
 * The step of an attempt that the program must refuse on chain.
 *
 * @throws DemoError when the attempt succeeds; any other error is rethrown
 */
export async function refusedStep(
  cluster: LocalCluster,
  title: string,
  expected: string,
  attempt: Promise<unknown>,
): Promise<Step> {
  const step = (await stepOrRefusal(cluster, title, expected, attempt)) as Partial<Step> | undefined;
  if (step?.outcome !== 'refused')
    throw new DemoError(`${title}: went through, but must be refused with ${expected}`);
  return step as Step;
}

/** The step of an attempt that the program may refuse on chain with one given error. Any other error is rethrown. */
export async function stepOrRefusal<T>(
  { connection }: LocalCluster,
  title: string,
  expected: string,
  attempt: Promise<T>,
): Promise<T | Step> {
  try {
    return await attempt;
  } catch (error) {
    if (!(error instanceof TransactionError) || error.reason !== expected) throw error;
    const { reason: name, signature } = error;
    const { code } = error as { readonly code?: number };
    if (signature === undefined || code === undefined) throw error;
    const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;
    const transaction = await connection.getTransaction(signature, options);
    if (transaction === null) throw new DemoError(`${title}: the cluster has lost transaction ${signature}`);
    return {
      title,
      change: `refused as expected: ${name} (${code})`,
      outcome: 'refused',
      refusal: { code, name },
      computeUnits: transaction.meta?.computeUnitsConsumed ?? 0,
      bytes: bytesOf(transaction),
      signature,
    };
  }
}
