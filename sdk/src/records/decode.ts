// The program's log records, read from transactions and logs. Trades and creations are logged as the data of a
// `validateLogRecord` call that only the log authority can sign, so only the program can have made it; migrations as
// `Program data:` lines, which count only while the program itself is the one executing.
import type { PublicKey } from '@solana/web3.js';
import { startsWith } from '../codec.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from '../deployment.js';
import { IncompleteTransactionError } from '../errors.js';
import {
  MIGRATE_DISCRIMINATOR,
  VALIDATE_LOG_RECORD_DATA_SIZE,
  VALIDATE_LOG_RECORD_DISCRIMINATOR,
} from '../generated/instructions.js';
import { MIGRATE_RECORD_DISCRIMINATOR } from '../generated/records.js';
import { loggedData } from '../logs.js';
import { addressText } from './address-text.js';
import {
  accountKeys,
  indexOfKey,
  invocationsOf,
  requireKeysOfEveryIndex,
  type Invocation,
} from './invocations.js';
import {
  decodeRecord,
  type CurveRecord,
  type RecordContent,
  type RecordPosition,
  type UnknownContent,
  type UnknownRecord,
} from './record.js';
import type { ConfirmedTransaction, TransactionMeta } from './transaction.js';

/**
 * The records of a transaction in the order they were made; none of a failed one. Records that this version of the SDK
 * does not know are left out: {@link decodeEveryRecord} includes them.
 *
 * @throws IncompleteTransactionError when the node's answer lacks the inner instructions, the keys from lookup tables or the
 * log of a migration
 */
export function decodeRecords(
  transaction: ConfirmedTransaction,
  deployment: Deployment = DEFAULT_DEPLOYMENT,
): CurveRecord[] {
  return decodeEveryRecord(transaction, deployment).filter((record) => record.kind !== 'unknown');
}

/**
 * Like {@link decodeRecords}, with the records that this version of the SDK does not know as `kind: 'unknown'`.
 *
 * @throws IncompleteTransactionError when the node's answer lacks the inner instructions, the keys from lookup tables or the
 * log of a migration
 */
export function decodeEveryRecord(
  transaction: ConfirmedTransaction,
  deployment: Deployment = DEFAULT_DEPLOYMENT,
): (CurveRecord | UnknownRecord)[] {
  const { meta, slot } = transaction;
  if (meta === null || meta.err !== null) return [];
  const keys = accountKeys(transaction, meta);
  const signature = transaction.transaction.signatures[0] ?? '';
  requireKeysOfEveryIndex(keys.length, transaction, meta, signature);
  const program = indexOfKey(keys, deployment.programId);
  if (program === -1) return [];

  const logAuthority = indexOfKey(keys, deployment.logAuthority.address);
  const invocations = invocationsOf(transaction, meta, program);
  const records = [
    ...recordCalls(invocations, logAuthority),
    ...loggedRecords(invocations, meta, deployment.programId, signature),
  ].map(({ position, bytes }) => ({ ...decodeRecord(bytes), signature, slot, position }));
  return records.sort((a, b) => a.position.outer - b.position.outer || a.position.inner - b.position.inner);
}

/**
 * The records among the `Program data:` lines of a successful transaction's log: migrations. (Trades and creations are
 * not in the log; {@link decodeRecords} reads them.) A truncated log yields those before the cut.
 */
export function decodeLogs(
  logs: readonly string[],
  deployment: Deployment = DEFAULT_DEPLOYMENT,
): (RecordContent | UnknownContent)[] {
  return loggedData(logs, addressText(deployment.programId)).map(({ bytes }) => decodeRecord(bytes));
}

interface RecordBytes {
  readonly position: RecordPosition;
  readonly bytes: Uint8Array;
}

/** Records that rode on calls of `validateLogRecord`. As an outer instruction it cannot be signed for. */
function recordCalls(invocations: readonly Invocation[], logAuthority: number): RecordBytes[] {
  return invocations
    .filter(
      ({ position, accounts, data }) =>
        position.inner >= 0 &&
        accounts.length === 1 &&
        accounts[0] === logAuthority &&
        data.length > VALIDATE_LOG_RECORD_DATA_SIZE &&
        startsWith(data, VALIDATE_LOG_RECORD_DISCRIMINATOR),
    )
    .map(({ position, data }) => ({ position, bytes: data.subarray(VALIDATE_LOG_RECORD_DATA_SIZE) }));
}

/** Records in the log, each at the instruction that wrote it. */
function loggedRecords(
  invocations: readonly Invocation[],
  { logMessages }: TransactionMeta,
  programId: PublicKey,
  signature: string,
): RecordBytes[] {
  const logged = hasData(logMessages) ? loggedData(logMessages, addressText(programId)) : [];
  for (const [index, { data }] of invocations.entries()) {
    const isLogged = ({ invocation, bytes }: (typeof logged)[number]) =>
      invocation === index && startsWith(bytes, MIGRATE_RECORD_DISCRIMINATOR);
    if (startsWith(data, MIGRATE_DISCRIMINATOR) && !logged.some(isLogged)) {
      throw new IncompleteTransactionError(
        signature,
        'it migrates a curve, but its log is missing or cut; ask a node that keeps whole logs (--log-messages-bytes-limit)',
      );
    }
  }
  return logged.flatMap(({ invocation, bytes }) => {
    const position = invocations[invocation]?.position;
    return position === undefined ? [] : [{ position, bytes }];
  });
}

function hasData(logs: readonly string[] | null | undefined): logs is readonly string[] {
  return logs?.some((line) => line.startsWith('Program data: ')) === true;
}
