// Makes errors safe to log. The message of a failed query includes its parameters: wallet signatures, key hashes,
// transactions to sign. The values are removed and the rest is logged.

import { hideSecrets } from '../secrets.js';
import { isConnectionError } from '../errors.js';

/** Addresses and signatures. */
const LONG_BASE58 = /[1-9A-HJ-NP-Za-km-z]{32,}/g;
const KEPT_DIGITS = 8;
/** The parameters that Drizzle appends to a message, up to its end. */
const PARAMETERS = /\s*\bparams: [\s\S]*$/;
/** How Drizzle's message begins; the database's is in the cause. */
const FAILED_QUERY = /^Failed query: /;
/** Matches a stack frame, but no line of the message. */
const FRAME = /^ {4}at .*(:\d+:\d+|<anonymous>|native|index \d+)\)?$/;
/** Fields that identify the error. PostgreSQL's `detail` and `where` are omitted, because they quote values. */
const KEPT_FIELDS = [
  'code',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
  'errno',
  'syscall',
  'address',
  'port',
  'status',
] as const;
const DEEPEST = 8;

interface LoggedError {
  readonly type: string;
  readonly message: string;
  /** Omitted for an unavailable dependency and for an expected refusal. */
  readonly stack?: string;
  readonly cause?: LoggedError | string;
  readonly errors?: readonly (LoggedError | string)[];
  /** The fields of KEPT_FIELDS. */
  readonly [field: string]: unknown;
}

/** Shortens addresses and signatures in the text to their first characters. */
export function shortenBase58(text: string): string {
  return text.replace(LONG_BASE58, (digits) => `${digits.slice(0, KEPT_DIGITS)}…`);
}

function isExpected(error: unknown): boolean {
  return error instanceof Error && 'isExpected' in error && error.isExpected === true;
}

/** A thrown value with its causes, safe to log. For pino's `err`. */
export function loggedError(error: unknown): unknown {
  return isExpected(error) || isConnectionError(error)
    ? withoutStacks(describe(error, 0))
    : describe(error, 0);
}

/** The innermost cause. */
export function causeOf(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < DEEPEST && current instanceof Error; depth += 1) {
    const inner: unknown =
      current.cause ?? (current instanceof AggregateError ? (current.errors as unknown[])[0] : undefined);
    if (inner === undefined) break;
    current = inner;
  }
  return current;
}

/** Why a call failed: `fetch failed` of Node has it in its cause, the failure of a host's several addresses in its errors. */
export function causeMessage(error: unknown): string {
  const cause = causeOf(error);
  return cause instanceof Error ? cause.message : String(cause);
}

/** The stacks of the error and its causes, safe to log. */
export function shownError(error: unknown): string {
  const parts: string[] = [];
  let current: LoggedError | string | undefined = describe(error, 0);
  while (current !== undefined) {
    parts.push(typeof current === 'string' ? current : (current.stack ?? current.message));
    current = typeof current === 'string' ? undefined : current.cause;
  }
  return parts.join('\ncaused by: ');
}

/** The message, safe to log. Of a failed query: why it failed. The query itself is in the log. */
export function shownMessage(error: unknown): string {
  const shown = error instanceof Error && FAILED_QUERY.test(error.message) ? causeOf(error) : error;
  return clean(shown instanceof Error ? shown.message : String(shown));
}

function describe(error: unknown, depth: number): LoggedError | string {
  if (!(error instanceof Error))
    return typeof error === 'string' ? clean(error) : Object.prototype.toString.call(error);
  const type = error.name === 'Error' ? error.constructor.name : error.name;
  const message = clean(error.message);
  const inside = (part: unknown) => describe(part, depth + 1);
  return {
    type,
    message,
    stack: stackOf(error, type, message),
    ...keptFields(error),
    ...(depth < DEEPEST && error.cause !== undefined ? { cause: inside(error.cause) } : {}),
    ...(depth < DEEPEST && error instanceof AggregateError ? { errors: error.errors.map(inside) } : {}),
  };
}

function withoutStacks(error: LoggedError | string): LoggedError | string {
  if (typeof error === 'string') return error;
  const { cause, errors, ...rest } = error;
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([field]) => field !== 'stack')),
    type: rest.type,
    message: rest.message,
    ...(cause === undefined ? {} : { cause: withoutStacks(cause) }),
    ...(errors === undefined ? {} : { errors: errors.map(withoutStacks) }),
  };
}

function keptFields(error: Error): Readonly<Record<string, string | number>> {
  const fields: Record<string, string | number> = {};
  for (const field of KEPT_FIELDS) {
    const value: unknown = field in error ? error[field as keyof Error] : undefined;
    if (typeof value === 'string') fields[field] = clean(value);
    if (typeof value === 'number') fields[field] = value;
  }
  return fields;
}

/** Keeps only the stack frames, because they contain no values. The text before them is the original message. */
function stackOf({ stack = '', message: original }: Error, type: string, message: string): string {
  const end = stack.indexOf(original);
  const behind = end === -1 ? stack : stack.slice(end + original.length);
  const frames = behind.split('\n').filter((line) => FRAME.test(line));
  return [`${type}: ${message}`, ...frames].join('\n');
}

function clean(text: string): string {
  // Keys come first, because a shortened key is no longer found.
  return shortenBase58(hideSecrets(text.replace(PARAMETERS, '')));
}
