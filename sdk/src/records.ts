// The program's log records, read from transactions and logs. Trades and creations are logged as the data of a
// `validateLogRecord` call that only the log authority can sign, so only the program can have made it; migrations as
// `Program data:` lines, which count only while the program itself is the one executing.
import type { PublicKey, VersionedMessage } from '@solana/web3.js';
import { decodeBase58 } from './base58.js';
import { startsWith } from './codec.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from './deployment.js';
import { DecodeError, IncompleteTransactionError } from './errors.js';
import {
  MIGRATE_DISCRIMINATOR,
  VALIDATE_LOG_RECORD_DATA_SIZE,
  VALIDATE_LOG_RECORD_DISCRIMINATOR,
} from './generated/instructions.js';
import {
  CREATE_RECORD_DISCRIMINATOR,
  decodeCreateRecord,
  decodeMigrateRecord,
  decodeTradeRecord,
  MIGRATE_RECORD_DISCRIMINATOR,
  TRADE_RECORD_DISCRIMINATOR,
  type CreateRecord,
  type MigrateRecord,
  type TradeRecord,
} from './generated/records.js';
import { loggedData } from './logs.js';

/** Where in a transaction a record was made. With the signature it identifies the record for good. */
export interface RecordPosition {
  /** Index of the outer instruction. */
  readonly outer: number;
  /** Index among the inner instructions of that one; −1 when the outer instruction itself made the record. */
  readonly inner: number;
}

/** Where a record comes from. */
export interface RecordSource {
  readonly signature: string;
  readonly slot: number;
  readonly position: RecordPosition;
}

/** A record without its source, told apart by `kind`. */
export type RecordContent =
  | { readonly kind: 'create'; readonly data: CreateRecord }
  | { readonly kind: 'trade'; readonly data: TradeRecord }
  | { readonly kind: 'migrate'; readonly data: MigrateRecord };

/** A record that a later version of the program may log; this version of the SDK cannot read it. */
export interface UnknownContent {
  readonly kind: 'unknown';
  /** Its first eight bytes. */
  readonly discriminator: Uint8Array;
  /** All of it, discriminator included. */
  readonly data: Uint8Array;
}

/** A record of the program with its source. */
export type CurveRecord = RecordContent & RecordSource;

/** A record this version cannot read, with its source. */
export type UnknownRecord = UnknownContent & RecordSource;

/** A confirmed transaction: web3.js's `VersionedTransactionResponse`, or the JSON of `getTransaction` as it is. */
export interface ConfirmedTransaction {
  readonly slot: number;
  /** Of the message; nodes leave it out where none was asked for. */
  readonly version?: number | 'legacy' | undefined;
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: VersionedMessage | JsonMessage;
  };
  readonly meta: TransactionMeta | null;
}

/** The message of a transaction as RPC nodes write it with `encoding: "json"`. */
export interface JsonMessage {
  readonly accountKeys: readonly string[];
  readonly instructions: readonly JsonInstruction[];
}

/** An instruction as RPC nodes write it with `encoding: "json"`. */
export interface JsonInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  /** In base58. */
  readonly data: string;
}

/** The part of a transaction's metadata that records are read from. */
export interface TransactionMeta {
  readonly err: unknown;
  readonly innerInstructions?:
    readonly { readonly index: number; readonly instructions: readonly JsonInstruction[] }[] | null;
  readonly logMessages?: readonly string[] | null;
  readonly preTokenBalances?: readonly TokenBalance[] | null;
  readonly postTokenBalances?: readonly TokenBalance[] | null;
  readonly loadedAddresses?:
    | {
        readonly writable: readonly (PublicKey | string)[];
        readonly readonly: readonly (PublicKey | string)[];
      }
    | null
    | undefined;
}

/** What a token account of a transaction holds. */
export interface TokenBalance {
  /** Counts the message's keys, then those from lookup tables. */
  readonly accountIndex: number;
  /** In smallest token units. */
  readonly uiTokenAmount: { readonly amount: string };
}

const KINDS = [
  { kind: 'trade', discriminator: TRADE_RECORD_DISCRIMINATOR, decode: decodeTradeRecord },
  { kind: 'create', discriminator: CREATE_RECORD_DISCRIMINATOR, decode: decodeCreateRecord },
  { kind: 'migrate', discriminator: MIGRATE_RECORD_DISCRIMINATOR, decode: decodeMigrateRecord },
] as const;

const DISCRIMINATOR_SIZE = TRADE_RECORD_DISCRIMINATOR.length;
const base58Addresses = /* @__PURE__ */ new WeakMap<PublicKey, string>();

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
  return loggedData(logs, base58(deployment.programId)).map(({ bytes }) => decodeRecord(bytes));
}

/** One record from its bytes, discriminator included. A known one that does not fit its layout is unknown as well. */
export function decodeRecord(bytes: Uint8Array): RecordContent | UnknownContent {
  const known = KINDS.find(({ discriminator }) => startsWith(bytes, discriminator));
  try {
    if (known !== undefined) return { kind: known.kind, data: known.decode(bytes) } as RecordContent;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  return { kind: 'unknown', discriminator: bytes.slice(0, DISCRIMINATOR_SIZE), data: bytes.slice() };
}

/** A text that identifies a record for good: store it to process each one exactly once. */
export function recordKey({ signature, position }: RecordSource): string {
  return `${signature}:${position.outer}:${position.inner}`;
}

/** One instruction of this program, outer or inner. */
interface Invocation {
  readonly position: RecordPosition;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
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
  const logged = hasData(logMessages) ? loggedData(logMessages, base58(programId)) : [];
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

/** Every call of the program in the order of execution, which is the order of the log as well. */
function invocationsOf(
  { transaction }: ConfirmedTransaction,
  meta: TransactionMeta,
  program: number,
): Invocation[] {
  const inner = meta.innerInstructions;
  if (inner === null || inner === undefined) {
    throw new IncompleteTransactionError(
      transaction.signatures[0] ?? '',
      'the node keeps no inner instructions; ask one that does',
    );
  }
  const found: Invocation[] = [];
  for (const [outer, instruction] of outerInstructions(transaction.message).entries()) {
    if (instruction.programIdIndex === program) {
      const data = typeof instruction.data === 'string' ? decodeBase58(instruction.data) : instruction.data;
      found.push({ position: { outer, inner: -1 }, accounts: instruction.accounts, data });
    }
    const calls = inner.find(({ index }) => index === outer)?.instructions ?? [];
    for (const [index, { programIdIndex, accounts, data }] of calls.entries()) {
      if (programIdIndex !== program) continue;
      found.push({ position: { outer, inner: index }, accounts, data: decodeBase58(data) });
    }
  }
  return found;
}

interface OuterInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array | string;
}

function outerInstructions(message: VersionedMessage | JsonMessage): readonly OuterInstruction[] {
  if ('instructions' in message) return message.instructions;
  return message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    programIdIndex,
    accounts: accountKeyIndexes,
    data,
  }));
}

/** Keys in the order that instructions count them: of the message, then writable and readonly ones of lookup tables. */
function accountKeys(
  { transaction }: ConfirmedTransaction,
  { loadedAddresses }: TransactionMeta,
): (PublicKey | string)[] {
  const { message } = transaction;
  const keys = 'accountKeys' in message ? message.accountKeys : message.staticAccountKeys;
  return [...keys, ...(loadedAddresses?.writable ?? []), ...(loadedAddresses?.readonly ?? [])];
}

/** Without the keys of its lookup tables a transaction of this program can look like one of others. */
function requireKeysOfEveryIndex(
  known: number,
  { transaction }: ConfirmedTransaction,
  { innerInstructions }: TransactionMeta,
  signature: string,
): void {
  const isComplete = ({ programIdIndex, accounts }: Omit<OuterInstruction, 'data'>) =>
    programIdIndex < known && accounts.every((index) => index < known);
  const outer = outerInstructions(transaction.message);
  if (
    outer.every(isComplete) &&
    (innerInstructions ?? []).every(({ instructions }) => instructions.every(isComplete))
  )
    return;
  throw new IncompleteTransactionError(
    signature,
    'the node left out the keys of its lookup tables (loadedAddresses); ask one that tells them',
  );
}

function indexOfKey(keys: readonly (PublicKey | string)[], wanted: PublicKey): number {
  const text = base58(wanted);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    if (typeof key === 'string' ? key === text : key.equals(wanted)) return index;
  }
  return -1;
}

function hasData(logs: readonly string[] | null | undefined): logs is readonly string[] {
  return logs?.some((line) => line.startsWith('Program data: ')) === true;
}

/** web3.js computes a key's text anew each time, which costs more than decoding a record. */
function base58(key: PublicKey): string {
  let text = base58Addresses.get(key);
  if (text === undefined) {
    text = key.toBase58();
    base58Addresses.set(key, text);
  }
  return text;
}
