// Recognizes what web3.js, Kit and the platform's fetch throw when a request to a node fails.
import { CurvekitError } from '../errors/index.js';
import { proxyAdvice, reasonOf } from '../platform/reason.js';
import { TimeoutError } from '../time/timeout.js';
import { hostOf, isSafe, redacted } from './redact.js';
import { RpcError } from './rpc-error.js';

/** The error in a node's JSON-RPC answer. */
export class NodeAnswerError extends Error {
  constructor(
    message: string,
    /** Undefined when the node gives none. */
    readonly code: number | undefined,
  ) {
    super(message);
  }
}

/** What was asked, and whom. */
export interface Asked {
  readonly method: string;
  /** URL of the node. Undefined for Kit's clients. */
  readonly endpoint: string | undefined;
}

/** The parts of a failure that are read from an error. */
interface Found {
  /** The node's or the platform's own words. */
  readonly text: string;
  readonly status?: number | undefined;
  readonly code?: number | undefined;
  readonly retryAfter?: number | undefined;
  readonly kind: 'timeout' | 'network' | 'http' | 'page' | 'node';
}

const MIN_CONTEXT_SLOT = -32016;
/** The node is behind, has not the block yet, or is overloaded. */
const TEMPORARY_CODES: readonly number[] = [-32603, -32005, -32004, -32014, -32016, -32429, 429];
const NO_CONNECTION = /fetch|load failed|network|socket|connect|terminated|\bE[A-Z]{4,}\b/i;
const LIMITED = /rate.?limit|too many requests|requests? limit/i;
const HTTP_TEXT = /^(\d{3})\b ?([^:\n]*)(?::\s*([\s\S]*))?$/;
/** How web3.js begins its messages: with the names of all accounts of the request. */
const PREFIX = /^failed to [^:]*: (?:\w*Error: )?/;

const UNKNOWN_FORM = 'its answer has an unknown form';
const UNREADABLE = /cannot read|is not (a function|iterable|an object)|undefined|null/i;

/** The typed error of a failed request. Errors of this package are returned unchanged, except timeouts. */
export function rpcError(error: unknown, { method, endpoint }: Asked): CurvekitError {
  if (error instanceof CurvekitError && !(error instanceof TimeoutError)) return error;
  const found = foundIn(error);
  const { status, code, retryAfter } = found;
  const text = redacted(found.text, endpoint);
  return new RpcError(method, {
    problem: problemOf(found, text),
    advice: adviceOf(found, method),
    host: hostOf(endpoint),
    ...{ status, code, retryAfter },
    isTemporary: isTemporary(found),
    cause: isSafe(error, endpoint) ? error : undefined,
  });
}

/** Whether the node has not reached the slot that the request named. */
export function isBehind(error: unknown): boolean {
  return error instanceof RpcError && error.code === MIN_CONTEXT_SLOT;
}

/** The error of a node whose answer is older than a slot that the caller has seen. */
export function behindError({ method, endpoint }: Asked, slot: number, wanted: number): RpcError {
  return new RpcError(method, {
    problem: `the node is behind: its state is of slot ${slot}, the last transaction landed in slot ${wanted}`,
    advice: 'try again, or use another node',
    host: hostOf(endpoint),
    code: MIN_CONTEXT_SLOT,
    isTemporary: true,
  });
}

function foundIn(error: unknown): Found {
  if (error instanceof TimeoutError)
    return { kind: 'timeout', text: error.message.replace(/^.*?did/, 'did') };
  const { message, code, name } = Object(error) as { message?: unknown; code?: unknown; name?: unknown };
  const text = typeof message === 'string' ? message.replace(PREFIX, '') : String(error);
  const ofKit = kitFailure(error);
  if (ofKit !== undefined) return ofKit;
  if (error instanceof NodeAnswerError || typeof code === 'number')
    return { kind: 'node', text, code: code as number | undefined };
  const status = statusOf(error);
  if (status !== undefined) return { kind: 'http', status, text };
  const malformed = malformedAnswer(error);
  if (malformed !== undefined) return { kind: 'node', text: malformed };
  if (name === 'SyntaxError') return { kind: 'page', text, status: 200 };
  const [, digits, statusText = '', body] = HTTP_TEXT.exec(text) ?? [];
  if (digits !== undefined) return httpFailure(Number(digits), statusText, body);
  // web3.js drops the code of a simulation's error.
  if (/minimum context slot/i.test(text)) return { kind: 'node', text, code: MIN_CONTEXT_SLOT };
  const isWrapped = typeof message === 'string' && text !== message;
  if (isWrapped && !NO_CONNECTION.test(text)) return { kind: 'node', text };
  // The answer is JSON-RPC, but not what the method returns.
  if (name === 'TypeError' && UNREADABLE.test(text)) return { kind: 'node', text: UNKNOWN_FORM };
  return { kind: 'network', text: withReason(text, error) };
}

function httpFailure(status: number, statusText: string, body = ''): Found {
  const { code, message } = errorIn(body) ?? {};
  const said = typeof message === 'string' ? message : body;
  return {
    kind: 'http',
    text: [statusText.trim(), said].filter((part) => part !== '').join(', '),
    status,
    code: typeof code === 'number' ? code : undefined,
  };
}

/** The JSON-RPC error in an answer's body. */
function errorIn(body: string): { readonly code?: unknown; readonly message?: unknown } | undefined {
  try {
    const { error } = Object(JSON.parse(body)) as { error?: unknown };
    return typeof error === 'string' ? { message: error } : (Object(error) as object);
  } catch {
    return undefined;
  }
}

/** The HTTP status in the error of a caller's own `fetch`. */
function statusOf(error: unknown): number | undefined {
  const { status, statusCode, httpStatus } = Object(error) as Readonly<Record<string, unknown>>;
  const found = [status, statusCode, httpStatus].find((one) => typeof one === 'number');
  return typeof found === 'number' && found >= 100 && found <= 599 ? found : undefined;
}

/** Kit's error for an HTTP status, and for a JSON-RPC error that is not an object with a code. */
function kitFailure(error: unknown): Found | undefined {
  const { context } = Object(error) as { context?: Readonly<Record<string, unknown>> };
  const { statusCode, headers, message, error: said } = Object(context) as Readonly<Record<string, unknown>>;
  if (typeof statusCode === 'number') {
    const wait = Number((headers as Headers | undefined)?.get?.('retry-after') ?? NaN);
    const retryAfter = wait >= 0 ? wait : undefined;
    return { kind: 'http', status: statusCode, text: typeof message === 'string' ? message : '', retryAfter };
  }
  if (typeof said !== 'string' || typeof context?.['__code'] !== 'number') return undefined;
  return { kind: 'node', text: said };
}

/** The node's text in the error of the library that validates web3.js's answers (superstruct). */
function malformedAnswer(error: unknown): string | undefined {
  const { branch } = Object(error) as { branch?: unknown };
  if (!Array.isArray(branch)) return undefined;
  const answer: unknown = branch[0];
  const { error: said } = Object(answer) as { error?: unknown };
  if (typeof said === 'string') return said;
  const { message } = Object(said) as { message?: unknown };
  return typeof message === 'string' ? message : UNKNOWN_FORM;
}

function withReason(text: string, error: unknown): string {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  const reason = cause === undefined ? code : reasonOf(cause);
  return typeof reason === 'string' && !text.includes(reason) ? `${text} (${reason})` : text;
}

function isTemporary({ kind, status, code, text }: Found): boolean {
  if (kind === 'timeout') return true;
  if (kind === 'network') return !/ENOTFOUND|ERR_INVALID|CERT|certificate/i.test(text);
  if (code !== undefined && TEMPORARY_CODES.includes(code)) return true;
  if (status !== undefined && status !== 200)
    return status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501);
  return LIMITED.test(text);
}

function problemOf({ kind, status, code }: Found, text: string): string {
  if (kind === 'timeout') return text;
  if (kind === 'network')
    return NO_CONNECTION.test(text) ? `no connection: ${text}` : `the request failed: ${text}`;
  if (kind === 'page') return `HTTP 200 with an answer that is not JSON-RPC (${text})`;
  const said = text === '' ? '' : `: ${text}`;
  if (kind === 'http') return `HTTP ${status}${said}`;
  return code === undefined ? `the node refuses${said}` : `the node refuses (${code})${said}`;
}

function adviceOf({ kind, status, code, retryAfter, text }: Found, method: string): string {
  if (status === 429 || LIMITED.test(text)) {
    const wait = retryAfter === undefined ? 'wait' : `wait ${retryAfter} s`;
    return `${wait}, or use a node with a higher limit`;
  }
  if (code === -32601) return `use a node that supports ${method}`;
  if (code === -32011) return 'use a node that keeps the transaction history';
  if (status === 401 || status === 403) return "check the API key in the node's URL, or use another node";
  if (kind === 'page' || status === 404 || status === 405) return "check the node's URL";
  if (kind === 'network')
    return `check the node's URL and your network, and whether the node runs${proxyAdvice()}`;
  return 'try again, or use another node';
}
