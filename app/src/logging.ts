import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { loggedError } from './logged-error.js';

export type { Logger };

/**
 * A logger of JSON lines. Whatever could hold a secret is cut out, should it ever be passed; errors are logged without the
 * values they quote. Signatures of transactions that the service signed stay whole: they are public, and what an operator
 * looks up.
 *
 * @param destination standard output when left out
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
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
  return destination === undefined ? pino(options) : pino(options, destination);
}
