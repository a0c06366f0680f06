// JSON-RPC errors that the same request will meet again, by their codes.
import { CurvekitError } from './errors.js';

const NO_HISTORY = -32011;
const UNSUPPORTED_VERSION = -32015;
/** Agave answers so since version 4; earlier ones listed everything. */
const UNKNOWN_TRANSACTION = -32020;
const LASTING: Readonly<Record<number, string>> = {
  [-32600]: 'it does not take the request',
  [-32601]: 'it does not know the method',
  [-32602]: 'it does not take the parameters',
  [NO_HISTORY]: 'it keeps no transaction history; ask one that does',
};

/** What to throw instead of asking again; undefined for an error that may pass. */
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

/** Whether an error says that the node does not know the transaction that a list was to begin before, or to end at. */
export function isUnknownTransaction(error: unknown): boolean {
  return codeOf(error) === UNKNOWN_TRANSACTION;
}

/** Whether an error says that the node cannot write a transaction of that version, even if it is asked for. */
export function isUnsupportedVersion(error: unknown): boolean {
  return codeOf(error) === UNSUPPORTED_VERSION;
}

function codeOf(error: unknown): number {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'number' ? code : 0;
}
