// Log records of transactions that Kit has fetched.
import type { Address } from '@solana/kit';
import type { CreateRecord, GraduateRecord, MigrateRecord, TradeRecord } from '../generated/kit/records.js';
import * as core from '../records/decode.js';
import type { ConfirmedTransaction as CoreTransaction } from '../records/transaction.js';
import { withAddresses } from './convert.js';
import { coreDeployment, type Deployment } from './deployment.js';

/** A confirmed transaction as `getTransaction` of Kit returns it with `encoding: 'json'`, as far as records are read from it. */
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

/** A record of the program, told apart by `kind`, with its source. */
export type CurveRecord = (
  | { readonly kind: 'create'; readonly data: CreateRecord }
  | { readonly kind: 'trade'; readonly data: TradeRecord }
  | { readonly kind: 'migrate'; readonly data: MigrateRecord }
  | { readonly kind: 'graduate'; readonly data: GraduateRecord }
) & {
  readonly signature: string;
  readonly slot: bigint;
  /** Index of the outer instruction, and among its inner ones; −1 when the outer instruction itself made the record. */
  readonly position: { readonly outer: number; readonly inner: number };
};

/**
 * The records of a transaction in the order they were made; none of a failed one.
 *
 * @throws IncompleteTransactionError when the node's answer lacks the inner instructions, the keys from lookup tables or the
 * log of a migration
 */
export function decodeRecords(transaction: ConfirmedTransaction, deployment?: Deployment): CurveRecord[] {
  const records = core.decodeRecords(transaction as unknown as CoreTransaction, coreDeployment(deployment));
  return withAddresses(records) as CurveRecord[];
}
