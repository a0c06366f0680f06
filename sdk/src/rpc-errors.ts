// JSON-RPC errors that the same request will meet again, by their codes.
import { CurvekitError } from './errors.js';

const NO_HISTORY = -32011;
const LASTING: Readonly<Record<number, string>> = {
  [-32600]: 'it does not take the request',
  [-32601]: 'it does not know the method',
  [-32602]: 'it does not take the parameters',
  [NO_HISTORY]: 'it keeps no transaction history; ask one that does',
  [-32015]: 'the transaction is of a version that this SDK does not know; update it',
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

function codeOf(error: unknown): number {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'number' ? code : 0;
}
