// Log records of transactions that Kit has fetched.
import type { Address } from '@solana/kit';
import type { CreateRecord, GraduateRecord, MigrateRecord, TradeRecord } from '../generated/kit/records.js';
import * as core from '../records/decode.js';
import type { ConfirmedTransaction as CoreTransaction } from '../records/transaction.js';
import { coreDeployment, type Deployment } from './accounts/deployment.js';
import { withAddresses } from './convert.js';

/**
 * A confirmed transaction as Kit's `getTransaction` returns it with `encoding: 'json'`. Only the fields that records
 * are read from.
 */
export interface ConfirmedTransaction {
  readonly slot: bigint;
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: {
      readonly accountKeys: readonly Address[];
      readonly instructions: readonly JsonInstruction[];
    };
  };
  readonly meta: {
    readonly err: unknown;
    readonly innerInstructions?:
      readonly { readonly index: number; readonly instructions: readonly JsonInstruction[] }[] | null;
    readonly logMessages?: readonly string[] | null;
    readonly loadedAddresses?: {
      readonly writable: readonly Address[];
      readonly readonly: readonly Address[];
    } | null;
  } | null;
}

interface JsonInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  /** In base58. */
  readonly data: string;
}

/** A record of the program with its source. `kind` distinguishes the types. */
export type CurveRecord = (
  | { readonly kind: 'create'; readonly data: CreateRecord }
  | { readonly kind: 'trade'; readonly data: TradeRecord }
  | { readonly kind: 'migrate'; readonly data: MigrateRecord }
  | { readonly kind: 'graduate'; readonly data: GraduateRecord }
) & {
  readonly signature: string;
  readonly slot: bigint;
  /**
   * Index of the outer instruction and index among its inner instructions; −1 when the outer instruction itself made
   * the record.
   */
  readonly position: { readonly outer: number; readonly inner: number };
};

/**
 * A transaction's records in order. Empty for a failed transaction.
 *
 * @throws IncompleteTransactionError when the node's answer lacks the inner instructions, the keys from lookup tables
 *   or the log of a migration
 */
export function decodeRecords(
  transaction: ConfirmedTransaction,
  options: { readonly deployment?: Deployment | undefined } = {},
): CurveRecord[] {
  const { deployment } = Object(options) as typeof options;
  const how = deployment === undefined ? options : { ...options, deployment: coreDeployment(deployment) };
  const records = core.decodeRecords(transaction as unknown as CoreTransaction, how as core.DecodeOptions);
  return withAddresses(records) as CurveRecord[];
}
