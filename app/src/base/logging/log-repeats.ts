// Limits repeated lines to one per cause and minute. The first is logged at once; then one line a minute has the number of
// repeats. Otherwise an outage of the database would fill the disk.
import type { LogFn, Logger } from 'pino';
import { isConnectionError } from '../connection-errors.js';
import { causeOf, shownMessage } from './logged-error.js';

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
export function countRepeats(everyMs = MINUTE_MS) {
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
