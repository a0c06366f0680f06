// One step of a demo as it is shown: what a transaction changed, and what it cost.
import { TransactionError, type Price } from '@curvekit/sdk';
import type { LocalCluster, SentTransaction } from '@curvekit/testing';
import { CommandError } from '../scripts/command-line.js';
import { bytesOf } from './effects.js';

export interface Step {
  readonly title: string;
  /** What changed, in one or a few short lines. */
  readonly change: string;
  /** `refused`: by the program, as it should. */
  readonly outcome: 'done' | 'refused';
  /** Platform fee in lamports, of a trade. */
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

/** A demo that did not go as it must. */
export class DemoError extends CommandError {
  override readonly name = 'DemoError';
}

/** What a transaction that succeeded cost. */
export function costOf({ computeUnits, bytes, signature }: SentTransaction): Partial<Step> {
  return { computeUnits, bytes, signature };
}

/**
 * The step of an attempt that the program must refuse on chain.
 *
 * @throws DemoError when it goes through; any other error is thrown as it is
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

/** The step of an attempt that the program may refuse on chain with one error; any other is thrown as it is. */
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
