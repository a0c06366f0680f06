// Which errors of a node prove that it has not forwarded a transaction. Any other error, such as a gateway's, can come
// after the transaction was forwarded.
import type { TransactionError } from '../errors/index.js';
import { sendError, type FailureContext } from '../transactions/errors.js';

/**
 * JSON-RPC codes of the errors that a node answers after it has examined a transaction and before it forwards it, with
 * the beginnings of their messages: web3.js passes on only the message.
 */
const REFUSALS: ReadonlyMap<number, RegExp> = new Map([
  [-32002, /^transaction simulation failed/i],
  [-32003, /^transaction signature verification failure/i],
  [-32006, /^transaction precompile verification failure/i],
  [-32015, /^transaction version \(/i],
  [-32602, /^(invalid transaction|invalid params|failed to (deserialize|sanitize)|base64 encoded|decoded )/i],
]);
const ALREADY_PROCESSED = /already been processed|AlreadyProcessed/i;

/** Whether a JSON-RPC error with this code says that a transaction was examined and not forwarded. */
export function isRefusalCode(code: number): boolean {
  return REFUSALS.has(code);
}

/** The transaction's error in a node's refusal. Undefined when the node has the transaction, or may have forwarded it. */
export function refusalIn(error: unknown, context: FailureContext = {}): TransactionError | undefined {
  const refusal = sendError(error, context);
  if (refusal === undefined || ALREADY_PROCESSED.test(refusal.reason)) return undefined;
  const { message, isRefusal } = (error as { transactionError: { message: string; isRefusal?: boolean } })
    .transactionError;
  // Kit's errors have the code, by which they are marked.
  return isRefusal === true || [...REFUSALS.values()].some((text) => text.test(message))
    ? refusal
    : undefined;
}
