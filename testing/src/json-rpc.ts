import { ClusterRequestError } from './errors.js';
import { httpFetch } from './http-fetch.js';

/** Timeout in milliseconds. A local cluster answers within a few. */
const REQUEST_TIMEOUT_MS = 30_000;

interface JsonRpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/**
 * A JSON-RPC call for which web3.js has no method. A `bigint` parameter becomes an exact JSON integer.
 *
 * @throws ClusterRequestError when the cluster does not answer in time, or the answer is an error.
 */
export async function callRpc(
  url: string,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  let answer: JsonRpcAnswer;
  try {
    const response = await httpFetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    answer = (await response.json()) as JsonRpcAnswer;
  } catch (cause) {
    throw new ClusterRequestError(method, url, `no usable answer (${reason(cause)})`, { cause });
  }
  if (answer.error !== undefined) {
    const { code, message, data } = answer.error;
    const detail =
      data === undefined || data === null ? '' : `: ${typeof data === 'string' ? data : stringify(data)}`;
    throw new ClusterRequestError(method, url, `error ${code}, ${message}${detail}`);
  }
  return answer.result;
}

/** JSON with every bigint as an integer. `JSON.stringify` cannot write integers above 2^53. */
function stringify(value: unknown): string {
  const marked = JSON.stringify(value, (_, field: unknown) =>
    typeof field === 'bigint' ? `bigint:${field}` : field,
  );
  return marked.replace(/"bigint:(-?\d+)"/g, '$1');
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
