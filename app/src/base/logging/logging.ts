import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { hideSecrets } from '../secrets.js';
import { INSTANCE } from '../instance.js';
import { countRepeats } from './log-repeats.js';
import { loggedError } from './logged-error.js';

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
