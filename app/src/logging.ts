import { pino, type Logger } from 'pino';

export type { Logger };

/** A logger of JSON lines on standard output. Whatever could hold a secret is cut out, should it ever be passed. */
export function createLogger(level: string): Logger {
  return pino({
    level,
    base: null,
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
  });
}
