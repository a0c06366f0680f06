// Every call of the program in a transaction, outer or inner.
import type { PublicKey, VersionedMessage } from '../chain/types.js';
import { decodeBase58 } from '../encoding/base58.js';
import { IncompleteTransactionError } from '../errors/index.js';
import { addressText } from './address-text.js';
import type { RecordPosition } from './record.js';
import type { ConfirmedTransaction, JsonMessage, TransactionMeta } from './transaction.js';

/** One instruction of this program, outer or inner. */
export interface Invocation {
  readonly position: RecordPosition;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
}

/**
 * Every call of the program in the order of execution. The log has the same order.
 *
 * @param longestText inner calls with longer data, as base58 text, are left out: decoding it takes the square of its length
 */
export function invocationsOf(
  { transaction }: ConfirmedTransaction<string | Uint8Array>,
  meta: TransactionMeta<string | Uint8Array>,
  program: number,
  longestText = Infinity,
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
      found.push({
        position: { outer, inner: -1 },
        accounts: instruction.accounts,
        data: bytesOf(instruction.data),
      });
    }
    const calls = inner.find(({ index }) => index === outer)?.instructions ?? [];
    for (const [index, { programIdIndex, accounts, data }] of calls.entries()) {
      if (programIdIndex !== program || data.length > longestText) continue;
      found.push({ position: { outer, inner: index }, accounts, data: bytesOf(data) });
    }
  }
  return found;
}

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? decodeBase58(data) : data;
}

interface OuterInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array | string;
}

function outerInstructions(
  message: VersionedMessage | JsonMessage<string | Uint8Array>,
): readonly OuterInstruction[] {
  if ('instructions' in message) return message.instructions;
  return message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    programIdIndex,
    accounts: accountKeyIndexes,
    data,
  }));
}

/**
 * Keys in the order of instruction indexes: the message's keys, then the writable and the readonly keys of lookup
 * tables.
 */
export function accountKeys(
  { transaction }: ConfirmedTransaction<string | Uint8Array>,
  { loadedAddresses }: TransactionMeta<string | Uint8Array>,
): (PublicKey | string)[] {
  const { message } = transaction;
  const keys = 'accountKeys' in message ? message.accountKeys : message.staticAccountKeys;
  return [...keys, ...(loadedAddresses?.writable ?? []), ...(loadedAddresses?.readonly ?? [])];
}

/** Without the keys of its lookup tables, a transaction of this program can look like one without it. */
export function requireKeysOfEveryIndex(
  known: number,
  { transaction }: ConfirmedTransaction<string | Uint8Array>,
  { innerInstructions }: TransactionMeta<string | Uint8Array>,
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

export function indexOfKey(keys: readonly (PublicKey | string)[], wanted: PublicKey): number {
  const text = addressText(wanted);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    if (typeof key === 'string' ? key === text : key.equals(wanted)) return index;
  }
  return -1;
}
