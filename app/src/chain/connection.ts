// The one place that makes a web3.js Connection. Without a time limit, a node that accepts a request and never answers it would
// hold the caller for five minutes.
import { Connection, type ConnectionConfig } from '@solana/web3.js';
import { askNodeForText, notJsonRpc } from './node-request.js';
import { withTimeout } from '@curvekit/sdk';
import { NodeError } from './node-errors.js';

/** Longer than a healthy node needs for any request of the service, short enough to recover soon after a frozen one. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Longer answers are real: the messages of gateways are short. */
const LONGEST_MESSAGE = 4_096;
const METHOD = /"method":"(\w+)"/;

export interface ConnectionOptions {
  readonly timeoutMs?: number;
}

/**
 * A connection with commitment `confirmed`. Each request has a time limit, is sent once, and fails with a NodeError that says
 * what to do.
 */
export function connectNode(
  { rpcUrl, wsUrl }: { readonly rpcUrl: string; readonly wsUrl?: string | undefined },
  { timeoutMs = REQUEST_TIMEOUT_MS }: ConnectionOptions = {},
): Connection {
  const send = async (_url: unknown, init?: { readonly body?: unknown }) => {
    const body = String(init?.body);
    const method = METHOD.exec(body)?.[1] ?? 'a request';
    const text = await askNodeForText(rpcUrl, { body, method, timeoutMs });
    requireJsonRpc(rpcUrl, method, text);
    return { ok: true, status: 200, statusText: 'OK', text: () => Promise.resolve(text) };
  };
  return new Connection(rpcUrl, {
    commitment: 'confirmed',
    ...(wsUrl !== undefined && { wsEndpoint: wsUrl }),
    // web3.js would retry by itself and print to the console. The callers retry anyway.
    disableRetryOnRateLimit: true,
    // web3.js declares the type of an old polyfill. It reads the status and the text only.
    fetch: send as unknown as NonNullable<ConnectionConfig['fetch']>,
  });
}

/** web3.js would throw an error about JSON, or about a type, that names no node. */
function requireJsonRpc(rpcUrl: string, method: string, text: string): void {
  if (text.length > LONGEST_MESSAGE && /^\s*[[{]/.test(text)) return;
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (cause) {
    throw notJsonRpc(rpcUrl, method, text, cause);
  }
  const answers: unknown[] = Array.isArray(answer) ? answer : [answer];
  if (!answers.every(isJsonRpc)) throw notJsonRpc(rpcUrl, method, text);
}

function isJsonRpc(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  return 'result' in answer || ('error' in answer && typeof answer.error === 'object');
}

/** Also used for several requests in a row. */
const NODE_TIMEOUT_MS = 15_000;

/**
 * Adds a timeout to a request. Without it, a request could hang and resume after its lease has ended.
 *
 * @throws TimeoutError
 */
export function askNode<T>(answer: Promise<T>, limitMs = NODE_TIMEOUT_MS): Promise<T> {
  return withTimeout(answer, limitMs, 'the RPC node');
}

/** Rent-exempt minimum of an account, in lamports. @throws NodeError when the RPC node does not answer it */
export async function rentMinimum(connection: Connection, size: number): Promise<number> {
  const lamports = await connection.getMinimumBalanceForRentExemption(size);
  // web3.js returns 0 for an error of the node.
  if (lamports === 0) throw new NodeError(`the node gives no rent-exempt minimum of ${size} bytes`);
  return lamports;
}

/** The network's fee for each signature of a transaction, in lamports. Fixed by the Solana runtime. */
export const LAMPORTS_PER_SIGNATURE = 5_000n;
