// Reads log records from transactions and logs. Trades, creations and graduations are logged as the data of a
// `validateLogRecord` call that only a PDA can sign, so only its program can have made it. Migrations are logged as
// `Program data:` lines, which count only while the program itself is executing.
import { DEFAULT_DEPLOYMENT, requireDeployment, type Deployment } from '../accounts/deployment.js';
import type { PublicKey } from '../chain/types.js';
import { startsWith } from '../codec/borsh.js';
import { IncompleteTransactionError, InvalidArgumentError } from '../errors/index.js';
import {
  VALIDATE_LOG_RECORD_DATA_SIZE as GRADUATION_RECORD_OFFSET,
  VALIDATE_LOG_RECORD_DISCRIMINATOR as GRADUATION_RECORD_CALL,
} from '../generated/graduation/instructions.js';
import {
  MIGRATE_ACCOUNTS,
  MIGRATE_DISCRIMINATOR,
  VALIDATE_LOG_RECORD_DATA_SIZE,
  VALIDATE_LOG_RECORD_DISCRIMINATOR,
} from '../generated/instructions.js';
import { encodeMigrateRecord, MIGRATE_RECORD_DISCRIMINATOR } from '../generated/records.js';
import { addressText } from './address-text.js';
import {
  accountKeys,
  indexOfKey,
  invocationsOf,
  requireKeysOfEveryIndex,
  type Invocation,
} from './invocations.js';
import { loggedData } from './logs.js';
import {
  decodeRecord,
  type CurveRecord,
  type RecordContent,
  type RecordPosition,
  type UnknownContent,
  type UnknownRecord,
} from './record.js';
import { requireKnown, type OptionNames } from '../checks/options.js';
import { requireTransaction } from './require-transaction.js';
import type { ConfirmedTransaction, TransactionMeta } from './transaction.js';

/** Options of the functions that decode transactions. */
export interface DecodeOptions {
  /** The build whose records are read. Default: the default deployment. */
  readonly deployment?: Deployment | undefined;
}

const DECODE_OPTIONS = { deployment: true } as const satisfies OptionNames<DecodeOptions>;

/**
 * A transaction's records in order. Empty for a failed transaction. Excludes records that this version of the SDK does
 * not know: {@link decodeEveryRecord} includes them.
 *
 * @throws IncompleteTransactionError when the node's answer lacks the inner instructions, the keys from lookup tables
 *   or the log of a migration
 */
export function decodeRecords(
  transaction: ConfirmedTransaction<string | Uint8Array>,
  options: DecodeOptions = {},
): CurveRecord[] {
  return decodeEveryRecord(transaction, options).filter((record) => record.kind !== 'unknown');
}

/**
 * Like {@link decodeRecords}, and returns records that this version of the SDK does not know as `kind: 'unknown'`.
 *
 * @throws IncompleteTransactionError when the node's answer lacks the inner instructions, the keys from lookup tables
 *   or the log of a migration
 */
export function decodeEveryRecord(
  transaction: ConfirmedTransaction<string | Uint8Array>,
  options: DecodeOptions = {},
): (CurveRecord | UnknownRecord)[] {
  const encoded = encodedRecords(transaction, options);
  const signature = transaction.transaction.signatures[0] ?? '';
  const { slot } = transaction;
  return encoded.map(({ position, bytes }) => ({ ...decodeRecord(bytes), signature, slot, position }));
}

/**
 * Like {@link decodeEveryRecord}, without decoding: the bytes of each record, for {@link decodeRecord}, in order. They are views of
 * the transaction's own bytes, where it has any.
 *
 * @throws IncompleteTransactionError like {@link decodeEveryRecord}
 */
export function encodedRecords(
  transaction: ConfirmedTransaction<string | Uint8Array>,
  options: DecodeOptions = {},
): EncodedRecord[] {
  requireTransaction(transaction);
  requireKnown('options', options, DECODE_OPTIONS);
  const { deployment = DEFAULT_DEPLOYMENT } = options;
  requireDeployment(deployment);
  const { meta } = transaction;
  if (meta === null || meta.err !== null) return [];
  const keys = accountKeys(transaction, meta);
  const signature = transaction.transaction.signatures[0] ?? '';
  requireKeysOfEveryIndex(keys.length, transaction, meta, signature);
  const program = indexOfKey(keys, deployment.programId);
  if (program === -1) return [];

  const { programId, logAuthority, graduation } = deployment;
  const invocations = invocationsOf(transaction, meta, program);
  const graduating = indexOfKey(keys, graduation.programId);
  const graduations =
    graduating === -1
      ? []
      : recordCalls(
          invocationsOf(transaction, meta, graduating),
          indexOfKey(keys, graduation.feeReceiver.address),
          GRADUATION_RECORD_CALL,
          GRADUATION_RECORD_OFFSET,
        );
  const migrations = loggedRecords(invocations, meta, programId, (migration) =>
    graduatedMigration(migration, graduations, keys, deployment, signature),
  );
  const records = [
    ...recordCalls(
      invocations,
      indexOfKey(keys, logAuthority.address),
      VALIDATE_LOG_RECORD_DISCRIMINATOR,
      VALIDATE_LOG_RECORD_DATA_SIZE,
    ),
    ...migrations,
    ...graduations,
  ];
  return records.sort((a, b) => a.position.outer - b.position.outer || a.position.inner - b.position.inner);
}

/**
 * Decodes the records in the `Program data:` lines of a successful transaction's log: migrations. (Trades and creations
 * are not in the log; {@link decodeRecords} reads them.) A truncated log yields the records before the truncation.
 */
export function decodeLogs(
  logs: readonly string[],
  deployment: Deployment = DEFAULT_DEPLOYMENT,
): (RecordContent | UnknownContent)[] {
  if (!Array.isArray(logs)) throw new InvalidArgumentError('logs', 'must be the list of log lines');
  requireDeployment(deployment);
  return loggedData(logs, addressText(deployment.programId)).map(({ bytes }) => decodeRecord(bytes));
}

/** A record in a transaction, not decoded yet. */
export interface EncodedRecord {
  readonly position: RecordPosition;
  /** For {@link decodeRecord}. */
  readonly bytes: Uint8Array;
}

/** Records in the data of `validateLogRecord` calls. No PDA can sign it as an outer instruction. */
function recordCalls(
  invocations: readonly Invocation[],
  authority: number,
  discriminator: Uint8Array,
  offset: number,
): EncodedRecord[] {
  return invocations
    .filter(
      ({ position, accounts, data }) =>
        position.inner >= 0 &&
        accounts.length === 1 &&
        accounts[0] === authority &&
        data.length > offset &&
        startsWith(data, discriminator),
    )
    .map(({ position, data }) => ({ position, bytes: data.subarray(offset) }));
}

/**
 * Records in the log, each at the instruction that wrote it. `unlogged` returns the record of a migration without a log
 * line.
 */
function loggedRecords(
  invocations: readonly Invocation[],
  { logMessages }: TransactionMeta<string | Uint8Array>,
  programId: PublicKey,
  unlogged: (migration: Invocation) => Uint8Array,
): EncodedRecord[] {
  const logged = hasData(logMessages) ? loggedData(logMessages, addressText(programId)) : [];
  const records = logged.flatMap(({ invocation, bytes }) => {
    const position = invocations[invocation]?.position;
    return position === undefined ? [] : [{ position, bytes }];
  });
  for (const [index, invocation] of invocations.entries()) {
    const isLogged = (line: (typeof logged)[number]) =>
      line.invocation === index && startsWith(line.bytes, MIGRATE_RECORD_DISCRIMINATOR);
    if (startsWith(invocation.data, MIGRATE_DISCRIMINATOR) && !logged.some(isLogged))
      records.push({ position: invocation.position, bytes: unlogged(invocation) });
  }
  return records;
}

/**
 * The record of a migration that is missing from the log, computed from the `GraduateRecord` of its graduation. Any
 * wallet can call `graduate`, and can fill the log before.
 *
 * @throws IncompleteTransactionError for a migration by a key
 */
function graduatedMigration(
  { position, accounts }: Invocation,
  graduations: readonly EncodedRecord[],
  keys: readonly (PublicKey | string)[],
  deployment: Deployment,
  signature: string,
): Uint8Array {
  const mintKey = keys[accounts[MIGRATE_ACCOUNTS.tokenMint]!]!;
  const mint = typeof mintKey === 'string' ? mintKey : addressText(mintKey);
  for (const graduation of graduations) {
    if (graduation.position.outer !== position.outer || graduation.position.inner < position.inner) continue;
    const record = decodeRecord(graduation.bytes);
    if (record.kind !== 'graduate' || addressText(record.data.mint) !== mint) continue;
    const { poolSol, communitySol, costs, poolToken, communityToken, burnt, timestamp } = record.data;
    return encodeMigrateRecord({
      mint: record.data.mint,
      feeAccount: deployment.graduation.feeReceiver.address,
      solAmount: poolSol + communitySol + costs,
      tokenAmount: poolToken + communityToken + burnt,
      timestamp,
    });
  }
  throw new IncompleteTransactionError(
    signature,
    'it migrates a curve, but its log is missing or cut; ask a node that keeps whole logs (--log-messages-bytes-limit)',
  );
}

function hasData(logs: readonly string[] | null | undefined): logs is readonly string[] {
  return logs?.some((line) => line.startsWith('Program data: ')) === true;
}
