// Logs one line for each request, with its id and without secrets.
import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { shortenBase58 } from '../base/logging/logged-error.js';
import { withoutSecretFields, type Logger } from '../base/logging/logging.js';

declare module 'express-serve-static-core' {
  interface Request {
    log: RequestLines;
  }
}

/** A proxy's request id is used when it is valid. */
const REQUEST_ID = /^[\w-]{1,64}$/;

/** Paths that monitoring requests every few seconds. */
const PROBES = /^\/(health|ready|metrics)(\?|$)/;

export function isProbe(url: string): boolean {
  return PROBES.test(url);
}

/**
 * Logs each request when it is answered. Gives it an id, which the answer repeats.
 *
 * @param logsAll whether answers without an error have a line at level `info`. Otherwise, and for probes, it is `debug`.
 */
export function requestLog(logger: Logger, logsAll = true): RequestHandler {
  const loggers: Loggers = {
    logger,
    ofAnswers: withoutSecretFields(logger),
    usual: logsAll ? 'info' : 'debug',
  };
  return (request, response, next) => {
    const given = request.headers['x-request-id'];
    const id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    response.setHeader('X-Request-Id', id);
    const lines = new RequestLines(loggers, id, request.method, request.url);
    request.log = lines;
    response.on('close', () => lines.answered(request, response));
    response.on('error', (error) => lines.answered(request, response, error));
    next();
  };
}

interface Loggers {
  readonly logger: Logger;
  readonly ofAnswers: Logger;
  /** Level of an answer without an error. */
  readonly usual: 'debug' | 'info';
}

/** Log lines of one request. The fields are built only when a line is written; most requests have one line. */
export class RequestLines {
  readonly #startedAt = Date.now();
  #apiKeyId: string | undefined;
  #traceId: string | undefined;
  #isAnswered = false;

  constructor(
    private readonly loggers: Loggers,
    private readonly id: string,
    private readonly method: string,
    private readonly url: string,
  ) {}

  nameKey(apiKeyId: string): void {
    this.#apiKeyId = apiKeyId;
  }

  nameTrace(traceId: string): void {
    this.#traceId = traceId;
  }

  error(err: unknown, message: string): void {
    this.loggers.logger.error({ ...this.#fields(), err }, message);
  }

  /** Logs how the request was answered, once. */
  answered(request: Request, response: Response, error?: Error): void {
    if (this.#isAnswered) return;
    this.#isAnswered = true;
    const level = this.#level(response.statusCode, error);
    const logger = error === undefined ? this.loggers.ofAnswers : this.loggers.logger;
    if (!logger.isLevelEnabled(level)) return;
    const fields = this.#fields();
    // Headers are left out, because some are credentials.
    fields['res'] = { statusCode: response.headersSent ? response.statusCode : null };
    if (error !== undefined) fields['err'] = error;
    fields['responseTime'] = Date.now() - this.#startedAt;
    const isWhole = !request.readableAborted && response.writableEnded;
    const failed = error !== undefined || response.statusCode >= 500;
    logger[level](fields, failed ? 'request errored' : isWhole ? 'request completed' : 'request aborted');
  }

  #fields(): Record<string, unknown> {
    const req = { id: this.id, method: this.method, url: shortenSecrets(this.url) };
    const fields: Record<string, unknown> = { req };
    if (this.#apiKeyId !== undefined) fields['apiKeyId'] = this.#apiKeyId;
    if (this.#traceId !== undefined) fields['traceId'] = this.#traceId;
    return fields;
  }

  #level(status: number, error: Error | undefined): 'debug' | 'info' | 'warn' | 'error' {
    // The component that needs the dependency logs the outage once a minute.
    if (status === 503) return 'warn';
    if (status >= 500 || error !== undefined) return 'error';
    return isProbe(this.url) ? 'debug' : this.loggers.usual;
  }
}

/** The path without its query; addresses and signatures are shortened. */
export function shortenSecrets(url: string): string {
  const query = url.indexOf('?');
  return shortenBase58(query === -1 ? url : url.slice(0, query));
}
