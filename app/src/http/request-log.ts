// One line for each request, with its id and without anything secret.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import { loggedError, shortenBase58 } from '../logging/logged-error.js';
import type { Logger } from '../logging/logging.js';

/** An id that a proxy gave is kept when it is one. */
const REQUEST_ID = /^[\w-]{1,64}$/;

/** Requested every few seconds by monitoring. */
const PROBES = /^\/(health|ready|metrics)(\?|$)/;
/** What pino-http throws in for an answer of 500 or more that has no error. */
const OF_STATUS = /^failed with status code \d+$/;

/** Logs requests when they are answered and gives each an id, which the answer carries too. */
export function requestLog(logger: Logger): RequestHandler {
  return pinoHttp({
    logger,
    genReqId: (request, response) => {
      const given = request.headers['x-request-id'];
      const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    customLogLevel: (request, response, error) => {
      // What is away is told by what needs it, once a minute.
      if (response.statusCode === 503) return 'warn';
      if (response.statusCode >= 500 || error !== undefined) return 'error';
      return PROBES.test(request.url ?? '') ? 'debug' : 'info';
    },
    // Headers are left out: some are credentials.
    serializers: {
      req: (request: IncomingMessage & { id: unknown; raw?: { originalUrl?: string } }) => ({
        id: request.id,
        method: request.method,
        url: shortenSecrets(request.url ?? ''),
      }),
      res: (response: ServerResponse) => ({ statusCode: response.statusCode }),
      // pino-http has made something of an error, which quotes all that the error carries; or one of the status alone.
      err: (error: { readonly raw?: unknown } | undefined) => {
        const raw = error?.raw ?? error;
        return raw instanceof Error && OF_STATUS.test(raw.message) ? undefined : loggedError(raw);
      },
    },
    wrapSerializers: true,
  }) as RequestHandler;
}

/** A path without its query, in which addresses and signatures are cut to their first digits. */
export function shortenSecrets(url: string): string {
  const [path = ''] = url.split('?', 1);
  return shortenBase58(path);
}
