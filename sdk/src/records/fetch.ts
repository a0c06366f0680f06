// Reads transactions of all versions from an RPC node as JSON. web3.js parses answers into one class per version and
// refuses unknown versions. The JSON has the same structure for all of them.
import type { Connection, Finality } from '../chain/types.js';
import { requireKnown } from '../checks/options.js';
import { UnreadableTransactionError } from '../errors/index.js';
import { RPC_OPTIONS, type RpcOptions } from '../rpc/ask.js';
import { NodeAnswerError } from '../rpc/failure.js';
import { reading } from '../rpc/reading.js';
import { isUnsupportedVersion } from '../rpc/refusals.js';
import type { ConfirmedTransaction } from './transaction.js';

/**
 * The value of `maxSupportedTransactionVersion` in requests: the maximum of the parameter (an unsigned byte), so that
 * the RPC node returns a transaction of any version that it can read.
 */
export const NEWEST_TRANSACTION_VERSION = 255;

/** The newest version that this SDK knows. A newer transaction may contain data that the known JSON structure lacks. */
export const NEWEST_KNOWN_VERSION = 1;

/**
 * Fetches a transaction. Null when the RPC node does not have it.
 *
 * @throws UnreadableTransactionError when the node or this SDK cannot read it
 * @throws RpcError; the signal's reason
 */
export async function fetchTransaction(
  connection: Connection,
  signature: string,
  commitment: Finality,
  options: RpcOptions = {},
): Promise<ConfirmedTransaction | null> {
  requireKnown('options', options, RPC_OPTIONS);
  const config = {
    encoding: 'json',
    commitment,
    maxSupportedTransactionVersion: NEWEST_TRANSACTION_VERSION,
  };
  // Not web3.js's `getTransaction`, which refuses unknown versions.
  const result = await reading(connection, options)
    .request('getTransaction', [signature, config])
    .catch((error: unknown) => {
      throw isUnsupportedVersion(error) ? unsupportedVersion(signature, textOf(error)) : error;
    });
  return result === null ? null : parseTransaction(signature, result);
}

/** The node's own words. */
function textOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof NodeAnswerError ? cause.message : message;
}

/** The error when a node answers that it does not support the transaction's version. */
export function unsupportedVersion(signature: string, message: string): UnreadableTransactionError {
  const version = /version \((\d+)\)/.exec(message)?.[1];
  return new UnreadableTransactionError(
    signature,
    version === undefined ? undefined : Number(version),
    `the RPC node cannot write it as JSON (${message})`,
  );
}

/**
 * Checks that a node's answer to `getTransaction` with `encoding: "json"` has the structure of a transaction.
 *
 * @throws UnreadableTransactionError when it does not
 */
export function parseTransaction(signature: string, answer: unknown): ConfirmedTransaction {
  const { slot, version, transaction, meta } = Object(answer) as Loose<ConfirmedTransaction>;
  const { signatures, message } = Object(transaction) as Loose<ConfirmedTransaction['transaction']>;
  const { accountKeys, instructions } = Object(message) as Record<string, unknown>;
  const problem = firstProblem([
    ['slot', isIndex(slot)],
    ['transaction.signatures', isListOf(isText, signatures) && signatures.length > 0],
    ['transaction.message.accountKeys', isListOf(isText, accountKeys)],
    ['transaction.message.instructions', isListOf(isInstruction, instructions)],
    ['meta', meta === null || isMeta(meta)],
  ]);
  if (problem === undefined) return answer as ConfirmedTransaction;
  throw new UnreadableTransactionError(
    signature,
    typeof version === 'number' ? version : undefined,
    `the structure of the RPC node's answer is not known (${problem})`,
  );
}

type Loose<T> = { readonly [Key in keyof T]?: unknown };

function firstProblem(parts: readonly (readonly [string, boolean])[]): string | undefined {
  return parts.find(([, isGood]) => !isGood)?.[0];
}

function isMeta(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('err' in value)) return false;
  const { innerInstructions, logMessages, loadedAddresses } = value as Record<string, unknown>;
  const { writable, readonly } = Object(loadedAddresses) as Record<string, unknown>;
  return (
    (isAbsent(innerInstructions) || isListOf(isInnerInstructions, innerInstructions)) &&
    (isAbsent(logMessages) || isListOf(isText, logMessages)) &&
    (isAbsent(loadedAddresses) || (isListOf(isText, writable) && isListOf(isText, readonly)))
  );
}

function isInnerInstructions(value: unknown): boolean {
  const { index, instructions } = Object(value) as Record<string, unknown>;
  return isIndex(index) && isListOf(isInstruction, instructions);
}

function isInstruction(value: unknown): boolean {
  const { programIdIndex, accounts, data } = Object(value) as Record<string, unknown>;
  return isIndex(programIdIndex) && isListOf(isIndex, accounts) && isText(data);
}

function isListOf(isOne: (value: unknown) => boolean, value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isOne);
}

function isIndex(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
