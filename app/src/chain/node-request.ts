// One HTTP request to an RPC node, with a time limit. Every failure names the node, the method and what to do, and neither the
// access key of the URL nor the page that a proxy returns.
import { formsOf } from '../base/secrets.js';
import { causeMessage } from '../base/logging/logged-error.js';
import { inTrace } from '../base/tracing/spans.js';
import { NodeError } from './node-errors.js';

export interface NodeRequest {
  /** JSON-RPC. */
  readonly body: string;
  /** Named in errors. */
  readonly method: string;
  /** Includes reading the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const MOST_QUOTED = 200;
/** Shorter parts of a URL, such as `v2` or `solana`, are no secrets. */
const LEAST_SECRET = 8;
const HIDDEN = '…';

/** A URL without its path, query and password, which may contain an access key. */
export function hostOf(url: string): string {
  return new URL(url).origin;
}

/**
 * Sends a request and checks the status. Read the answer with {@link readBody}.
 *
 * @throws NodeError, or the abort reason of the signal
 */
export async function requestNode(url: string, request: NodeRequest): Promise<NodeAnswer> {
  const { body, method, timeoutMs, signal } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  const failed = (cause: unknown): unknown => {
    if (signal?.aborted === true || cause instanceof NodeError) return cause;
    return timeout.aborted ? unanswered(url, request, cause) : unreachable(url, request, cause);
  };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw refused(url, method, response.status);
    }
    return { response, failed };
  } catch (cause) {
    throw failed(cause);
  }
}

export interface NodeAnswer {
  readonly response: Response;
  /** The error to throw when reading the body fails. */
  readonly failed: (cause: unknown) => unknown;
}

/** The text of the answer. @throws NodeError, or the abort reason of the signal */
export function askNodeForText(url: string, request: NodeRequest): Promise<string> {
  const attributes = { 'rpc.system.name': 'jsonrpc', 'rpc.method': request.method };
  return inTrace(request.method, { kind: 'client', attributes }, () => readText(url, request));
}

async function readText(url: string, request: NodeRequest): Promise<string> {
  const { response, failed } = await requestNode(url, request);
  try {
    return await response.text();
  } catch (cause) {
    throw failed(cause);
  }
}

/**
 * The error for a text that is no JSON-RPC: a web page, or the message of a gateway.
 *
 * @param cause why it cannot be parsed
 */
export function notJsonRpc(url: string, method: string, text: string, cause?: unknown): NodeError {
  const isPage = /^\s*</.test(text);
  const said = isPage ? 'a web page' : `"${quoted(text, url)}"`;
  return new NodeError(`${hostOf(url)} answers ${method} with ${said} instead of JSON-RPC`, 200, {
    ...(cause !== undefined && { cause }),
    fix: isPage
      ? 'set RPC_URL to the address of an RPC node, with its path and access key'
      : 'check the access key in RPC_URL and the limits of its plan',
  });
}

/** A text of the node in one line, without the secrets of its URL. */
export function quoted(text: string, url: string): string {
  const { username, password, pathname, searchParams } = new URL(url);
  const parts = [...pathname.split('/'), ...searchParams.values()];
  const secrets = [username, password, ...parts.filter((part) => part.length >= LEAST_SECRET)];
  const clean = secrets
    .flatMap((secret) => (secret === '' ? [] : formsOf(secret)))
    .reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text)
    .replace(/\s+/g, ' ')
    .trim();
  return clean.length > MOST_QUOTED ? clean.slice(0, MOST_QUOTED) + HIDDEN : clean;
}

function refused(url: string, method: string, status: number): NodeError {
  return new NodeError(`${hostOf(url)} answers ${method} with HTTP ${status}`, status, {
    fix: fixOf(status),
  });
}

function fixOf(status: number): string {
  switch (status) {
    case 401:
    case 403:
      return 'check the access key in RPC_URL, and that its plan allows the method and this address';
    case 404:
      return 'check the path of RPC_URL';
    case 429:
      return 'the node limits requests: wait, or set RPC_URL to a node with a higher limit';
    default:
      return status >= 500
        ? 'the node is overloaded or restarts: wait; if that lasts, set RPC_URL to another node'
        : 'check RPC_URL';
  }
}

function unanswered(url: string, { method, timeoutMs }: NodeRequest, cause: unknown): NodeError {
  return new NodeError(`${hostOf(url)} does not answer ${method} within ${timeoutMs / 1_000} s`, undefined, {
    cause,
    fix: 'the node is overloaded or frozen: wait; if that lasts, set RPC_URL to another node',
  });
}

function unreachable(url: string, { method }: NodeRequest, cause: unknown): NodeError {
  return new NodeError(
    `${hostOf(url)} cannot be reached for ${method}: ${quoted(causeMessage(cause), url)}`,
    undefined,
    { cause, fix: 'start the node, or set RPC_URL to one that runs' },
  );
}
