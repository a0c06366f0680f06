// Recognises errors of an unavailable database or network.

const NETWORK_CODES =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_\w+)$/;
/**
 * PostgreSQL error codes: connection exceptions, out of resources, shutdown, timeouts, locks that are not available, a read-only database,
 * and errors of its disk.
 */
const DATABASE_CODES = /^(08\w{3}|53\w{3}|57P0\d|57014|55P03|25P03|40P01|25006|58030)$/;
const CONNECTION_MESSAGES =
  /^(connection terminated|timeout exceeded when trying to connect|pglite is clos|client (has encountered a connection error|was closed) and is not queryable|cannot use a pool after calling end)/i;

/** Whether the database or the network caused the error. Drivers wrap errors in other errors, and several in one. */
export function isConnectionError(error: unknown): boolean {
  const toLook = [error];
  const seen = new Set<unknown>();
  while (toLook.length > 0) {
    const current = toLook.pop();
    if (!(current instanceof Error) || seen.has(current)) continue;
    seen.add(current);
    const code = 'code' in current ? String(current.code) : '';
    if (NETWORK_CODES.test(code) || DATABASE_CODES.test(code) || CONNECTION_MESSAGES.test(current.message)) {
      return true;
    }
    toLook.push(current.cause);
    if (current instanceof AggregateError) toLook.push(...(current.errors as readonly unknown[]));
  }
  return false;
}

/** An error that needs no stack trace: its message tells an operator what happened and what to do. */
export class ExplainedError extends Error {}
