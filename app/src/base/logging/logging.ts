import { pino, type DestinationStream, type Logger, type LoggerOptions, type LogFn } from 'pino';
import { hideSecrets } from '../secrets.js';
import { loggedError, causeOf, shownMessage } from './logged-error.js';
import { randomBytes } from 'node:crypto';
import { isConnectionError } from '../errors.js';

export type { Logger };

/**
 * A logger of JSON lines, each with the instance's name. Fields that could hold a secret are removed, and errors are logged
 * without the values that they quote. Repeated warnings and errors of one cause become one line per minute with their
 * number. Signatures of the service's own transactions are not shortened: they are public, and operators look them up.
 *
 * @param destination the default is standard output
 * @param repeatsEveryMs interval of the lines with the number of repeats; the default is a minute
 */
export function createLogger(
  level: string,
  destination?: DestinationStream,
  repeatsEveryMs?: number,
): Logger {
  const options: LoggerOptions = {
    level,
    base: { instance: INSTANCE },
    // Any field may quote the URL of a node, so keys are removed from the whole line.
    hooks: { logMethod: countRepeats(repeatsEveryMs), streamWrite: hideSecrets },
    serializers: { err: loggedError },
    redact: {
      paths: [
        'req.headers["x-api-key"]',
        'req.headers["x-signature"]',
        'req.headers.authorization',
        'req.headers.cookie',
        '*.secret',
        '*.secretKey',
      ],
      censor: '[redacted]',
    },
  };
  return pino(options, destination ?? standardOutput());
}

/**
 * The same logger for lines whose fields have no secrets: looking for the fields to remove takes longer than writing the line. Keys of
 * nodes are still removed.
 */
export function withoutSecretFields(logger: Logger): Logger {
  return logger.child({}, { redact: { paths: [] } });
}

/** Longest delay of a buffered line. */
const FLUSH_MS = 100;
const BUFFER_BYTES = 8_192;

let output: DestinationStream | undefined;

/**
 * Standard output, buffered: one write per line would take longer than the rest of a request's log. The buffer is written
 * when the process ends, and at once for a line of level `fatal`.
 */
function standardOutput(): DestinationStream {
  if (output !== undefined) return output;
  const stream = pino.destination({ fd: 1, sync: false, minLength: BUFFER_BYTES });
  setInterval(() => stream.flush(), FLUSH_MS).unref();
  return (output = stream);
}

/** Identifies this process among the instances that share a database: in logs, leases and the database's sessions. */
export const INSTANCE = randomBytes(4).toString('hex');

// Limits repeated lines to one per cause and minute. The first is logged at once; then one line a minute has the number of
// repeats. Otherwise an outage of the database would fill the disk.

/** Lowest level that is limited. Lower levels are lines that the operator wants, or lines about requests. */
const WARN = 40;
const MINUTE_MS = 60_000;
/** Maximum number of causes that are counted separately. Beyond it, lines with the same text count as one cause. */
const MOST_CAUSES = 1_000;
/** Variable parts of an error's message: shortened addresses and signatures, slots and times. */
const VARYING = /[1-9A-HJ-NP-Za-km-z]+…|\d{4,}/g;
/** Fields that differ between lines of the same cause. */
const NO_CAUSE = new Set(['apiKeyId', 'err', 'req', 'responseTime', 'time', 'traceId']);

interface Repeats {
  count: number;
}

/** pino's `hooks.logMethod`. @param everyMs interval of the lines with the count */
function countRepeats(everyMs = MINUTE_MS) {
  const causes = new Map<string, Repeats>();

  return function logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number): void {
    const [fields, text] = partsOf(args);
    if (level < WARN || !this.isLevelEnabled(this.levels.labels[level] ?? '') || isOfFault(fields)) {
      method.apply(this, args);
      return;
    }
    const key = causes.size < MOST_CAUSES ? keyOf(fields, text) : text;
    const seen = causes.get(key);
    if (seen !== undefined) {
      seen.count += 1;
      return;
    }
    const repeats = { count: 0 };
    causes.set(key, repeats);
    method.apply(this, args);
    tellEvery(() => {
      const { count } = repeats;
      if (count === 0) {
        causes.delete(key);
        return false;
      }
      repeats.count = 0;
      const { err, ...others } = fields;
      const reason = err === undefined ? {} : { reason: shownMessage(causeOf(err)) };
      method.apply(this, [
        { ...others, ...reason, repeated: count },
        `${text} (${count} times more in the last ${everyMs / 1_000} s)`,
      ]);
      return true;
    }, everyMs);
  };
}

/** Calls `tell` at an interval until it returns false. Does not keep the process alive. */
function tellEvery(tell: () => boolean, everyMs: number): void {
  const timer = setInterval(() => {
    if (!tell()) clearInterval(timer);
  }, everyMs);
  timer.unref();
}

type Fields = Readonly<Record<string, unknown>>;

function partsOf(args: Parameters<LogFn>): [fields: Fields, text: string] {
  const [first, second] = args as readonly unknown[];
  if (first instanceof Error) return [{ err: first }, typeof second === 'string' ? second : first.message];
  if (typeof first === 'object' && first !== null)
    return [first as Fields, typeof second === 'string' ? second : ''];
  return [{}, String(first)];
}

/**
 * Whether a line reports a request that failed because of a bug. Such a line is always logged, because operators search its
 * id.
 */
function isOfFault({ res }: Fields): boolean {
  const status = (res as { readonly statusCode?: number } | undefined)?.statusCode;
  return status !== undefined && status !== 503;
}

/** Identifies the cause of a line. A failed connection is one cause, no matter which part reports it. */
function keyOf(fields: Fields, text: string): string {
  const cause = fields['err'] === undefined ? undefined : causeOf(fields['err']);
  if (cause !== undefined && isConnectionError(cause)) return shownMessage(cause);
  const pattern = cause === undefined ? undefined : shownMessage(cause).replace(VARYING, '');
  const others = Object.entries(fields).filter(
    ([name, value]) => !NO_CAUSE.has(name) && (typeof value !== 'object' || value === null),
  );
  return JSON.stringify([text, others, pattern], (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}
