// Interprets an RPC node's answer to `getTransaction`.
import {
  IncompleteTransactionError,
  NEWEST_KNOWN_VERSION,
  parseTransaction,
  UnreadableTransactionError,
  unsupportedVersion,
  decodeEveryRecord,
  type ConfirmedTransaction,
  type Deployment,
} from '@curvekit/sdk';
import { NodeError } from '../chain/node-errors.js';
import type { UnnumberedRecord } from './records.js';
import type { Unreadable } from './store/unreadable.js';

/** A transaction that could not be read. */
export interface UnreadableTransaction extends Unreadable {
  readonly kind: 'unreadable';
  /** Whether a retry with the same RPC node is useless. */
  readonly isFinal: boolean;
}

export type Settled =
  | { readonly kind: 'read'; readonly transaction: ConfirmedTransaction }
  /** By a source other than the RPC node. */
  | { readonly kind: 'decoded'; readonly records: readonly UnnumberedRecord[] }
  | UnreadableTransaction;

export type Found =
  | Settled
  /** The RPC node gave no usable answer. */
  | { readonly kind: 'missing'; readonly signature: string; readonly reason: string };

/** A listed transaction. */
interface Place {
  readonly signature: string;
  readonly slot: number;
}

const ADVICE = 'set RPC_URL to a node with full history';

/** The RPC node has no answer for the transaction. */
export function missing(
  signature: string,
  problem = 'the node lists it but does not return it',
): Extract<Found, { kind: 'missing' }> {
  return { kind: 'missing', signature, reason: `${problem}; ${ADVICE}` };
}

/** Interprets the answer for a listed transaction, or the error that the node does not support its version. */
export function readAnswer(
  { signature, slot }: Place,
  commitment: 'confirmed' | 'finalized',
  answer: unknown,
): Found {
  if (answer === null) return missing(signature);
  if (answer instanceof NodeError) {
    const { version, reason } = unsupportedVersion(signature, answer.message);
    return { kind: 'unreadable', signature, slot, version, reason, isFinal: true };
  }
  let transaction: ConfirmedTransaction;
  try {
    transaction = parseTransaction(signature, answer);
  } catch (error) {
    if (!(error instanceof UnreadableTransactionError)) throw error;
    const { version, reason } = error;
    const isFinal = version !== undefined && version > NEWEST_KNOWN_VERSION;
    return { kind: 'unreadable', signature, slot, version, reason, isFinal };
  }
  const returned = transaction.transaction.signatures[0]!;
  if (returned !== signature) {
    return missing(signature, `the node returns transaction ${returned} instead`);
  }
  if (commitment === 'finalized' && transaction.slot !== slot) {
    return missing(
      signature,
      `the node lists it in slot ${slot}, but returns it as of slot ${transaction.slot}`,
    );
  }
  if (transaction.meta === null) return missing(signature, 'the node keeps no metadata of it');
  if (transaction.meta.err !== null) {
    return missing(signature, 'the node lists it as successful, but returns it as failed');
  }
  return { kind: 'read', transaction };
}

/** The records of a transaction, or why it cannot be read. */
export type Decoded =
  { readonly kind: 'records'; readonly records: readonly UnnumberedRecord[] } | UnreadableTransaction;

/**
 * Decodes a transaction. In a known version, a missing part is an error of the RPC node. In an unknown version it may be
 * normal.
 *
 * @throws IncompleteTransactionError when the RPC node omitted a part of a known version
 */
export function decode(settled: Settled, deployment: Deployment): Decoded {
  if (settled.kind === 'unreadable') return settled;
  if (settled.kind === 'decoded') return { kind: 'records', records: settled.records };
  const { transaction } = settled;
  const { version, slot } = transaction;
  const signature = transaction.transaction.signatures[0]!;
  try {
    return { kind: 'records', records: decodeEveryRecord(transaction, { deployment }) };
  } catch (error) {
    const isKnown = typeof version !== 'number' || version <= NEWEST_KNOWN_VERSION;
    if (isKnown && error instanceof IncompleteTransactionError) throw error;
    return {
      kind: 'unreadable',
      signature,
      slot,
      version: typeof version === 'number' ? version : undefined,
      reason: (error as Error).message,
      isFinal: true,
    };
  }
}
