import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { INSTANCE } from '../instance.js';
import { countRepeats } from './log-repeats.js';
import { loggedError } from './logged-error.js';

export type { Logger };

/**
 * A logger of JSON lines. Fields that could hold a secret are removed; errors are logged without the values they quote. Each line names the instance; warnings and errors of one cause are one line a minute, with their number.
 * Signatures of transactions that the service signed stay whole: they are public, and what an operator
 * looks up.
 *
 * @param destination standard output when left out
 * @param repeatsEveryMs how often lines that repeat another are told of; a minute when left out
 */
export function createLogger(
  level: string,
  destination?: DestinationStream,
  repeatsEveryMs?: number,
): Logger {
  const options: LoggerOptions = {
    level,
    base: { instance: INSTANCE },
    hooks: { logMethod: countRepeats(repeatsEveryMs) },
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

/** Longest delay of a line that is written together with others. */
const FLUSH_MS = 100;
const BUFFER_BYTES = 8_192;

let output: DestinationStream | undefined;

/**
 * Standard output, many lines at a time: a write for each line takes longer than the rest of a request's log. What is left
 * is written when the process ends, and a line of level `fatal` at once.
 */
function standardOutput(): DestinationStream {
  if (output !== undefined) return output;
  const stream = pino.destination({ fd: 1, sync: false, minLength: BUFFER_BYTES });
  setInterval(() => stream.flush(), FLUSH_MS).unref();
  return (output = stream);
}
