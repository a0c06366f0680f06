// Codes of JSON-RPC errors that a retry of the same request cannot avoid.
import { CurvekitError } from '../errors/index.js';

const NO_HISTORY = -32011;
const UNSUPPORTED_VERSION = -32015;
/** Agave returns this code since version 4. Earlier versions listed everything. */
const UNKNOWN_TRANSACTION = -32020;
const LASTING: Readonly<Record<number, string>> = {
  [-32600]: 'it does not take the request',
  [-32601]: 'it does not know the method',
  [-32602]: 'it does not take the parameters',
  [NO_HISTORY]: 'it keeps no transaction history; ask one that does',
};

/** The error to throw instead of retrying. Undefined for an error that may be temporary. */
export function lastingRefusal(error: unknown): CurvekitError | undefined {
  const problem = LASTING[codeOf(error)];
  if (problem === undefined) return undefined;
  return new CurvekitError(`the RPC node refuses: ${problem} (${(error as Error).message})`, {
    cause: error,
  });
}

/** Whether an error says that the node keeps no history. */
export function isWithoutHistory(error: unknown): boolean {
  return codeOf(error) === NO_HISTORY;
}

/** Whether an error says that the node does not know the transaction in `before` or `until`. */
export function isUnknownTransaction(error: unknown): boolean {
  return codeOf(error) === UNKNOWN_TRANSACTION;
}

/** Whether an error says that the node cannot return a transaction of that version, even when the request allows it. */
export function isUnsupportedVersion(error: unknown): boolean {
  return codeOf(error) === UNSUPPORTED_VERSION;
}

function codeOf(error: unknown): number {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'number' ? code : 0;
}
