// Reads the records from a stream of transactions.
import type { Deployment } from '../../accounts/deployment.js';
import { UnreadableTransactionError } from '../../errors/index.js';
import { decodeEveryRecord } from '../../records/decode.js';
import { NEWEST_KNOWN_VERSION } from '../../records/fetch.js';
import { comparePositions } from '../../records/order.js';
import type { CurveRecord, RecordSource, UnknownRecord } from '../../records/record.js';
import type { ConfirmedTransaction } from '../../records/transaction.js';

export interface ReadOptions {
  /** If it is a record, only later records of its transaction are returned. */
  readonly from: 'now' | 'genesis' | RecordSource;
  readonly deployment: Deployment;
  readonly onError: ((error: unknown) => void) | undefined;
}

/** The records of a transaction. For a transaction with an unreadable version it reports an error and returns none. */
export function readRecords(
  transaction: ConfirmedTransaction,
  { from, deployment, onError }: ReadOptions,
): (CurveRecord | UnknownRecord)[] {
  const { version } = transaction;
  const [signature = ''] = transaction.transaction.signatures;
  try {
    return laterThan(from, decodeEveryRecord(transaction, { deployment }));
  } catch (error) {
    if (typeof version !== 'number' || version <= NEWEST_KNOWN_VERSION) throw error;
    onError?.(new UnreadableTransactionError(signature, version, (error as Error).message));
    return [];
  }
}

/** Without the records of `from`'s transaction up to `from`. */
export function laterThan<R extends RecordSource>(from: ReadOptions['from'], records: readonly R[]): R[] {
  if (typeof from !== 'object') return [...records];
  return records.filter(
    (record) => record.signature !== from.signature || comparePositions(record, from) > 0,
  );
}
