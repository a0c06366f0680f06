// The Express application: the middleware of every request, then the routes of the APIs.
import cors from 'cors';
import express, { Router, type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.js';
import type { Logger } from '../logging/logging.js';
import type { Api } from './api.js';
import { bodyReader } from './body.js';
import { trustedProxies } from './client-address.js';
import { docsRouter } from './docs.js';
import { envelopeErrors } from './error-shapes.js';
import { healthRouter, type Check } from './health.js';
import { openApiDocument, type OpenApiDocument } from './openapi.js';
import { HttpProblem, toProblem } from './problem.js';
import { rateLimiter, type RateLimit } from './rate-limit.js';
import type { LimitStores } from './rate-limit-store.js';
import { requestLog } from './request-log.js';
import { requestMetrics } from './request-metrics.js';
import { sendJson, type Route } from './route.js';
import { securityHeaders } from './security-headers.js';

export interface AppOptions {
  readonly config: Config['http'];
  readonly serviceName: string;
  readonly version: string;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly apis: readonly Api[];
  /** The web page. Its paths and files come before the APIs. When omitted, the service has no page. */
  readonly page?: PageHandlers;
  readonly stores: LimitStores;
  readonly healthChecks: readonly Check[];
  readonly readyChecks: readonly Check[];
  readonly isClosing: () => boolean;
}

/** Handlers of the web page. They have no rate limit, because a limit on files would lock users out. */
export interface PageHandlers {
  readonly router: RequestHandler;
  /** For paths that no other handler answers. A browser gets a page that says so. */
  readonly notFound: RequestHandler;
}

/** Headers that pages of other origins may send and read. */
const ALLOWED_HEADERS = [
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'X-Api-Key',
  'X-Request-Id',
  'X-Signature',
  'X-Signature-Scheme',
  'X-Timestamp',
  // Used by clients of Solana Actions.
  'Accept-Encoding',
  'Authorization',
  'Content-Encoding',
];
const EXPOSED_HEADERS = [
  'ETag',
  'Link',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Action-Version',
  'X-Blockchain-Ids',
  'X-Request-Id',
];
const PREFLIGHT_SECONDS = 600;

/** Paths outside every API. They get the same error shape and rate limit as an API. */
const ELSEWHERE: Omit<Api, 'description'> = {
  name: 'elsewhere',
  prefix: '',
  errors: envelopeErrors,
  routes: [],
};

/** Builds the application with all middleware and routes, and its OpenAPI document. */
export function createApp(options: AppOptions): {
  readonly app: Express;
  readonly document: OpenApiDocument;
} {
  const { config, serviceName, version, logger, registry, apis, stores } = options;
  const document = openApiDocument(apis, {
    title: `${serviceName} API`,
    version,
    description:
      'Tokens and their trades; rewards of wallets and how to claim them; how tokens were settled; users of partners and what ' +
      'they earn.',
    publicUrl: config.publicUrl,
  });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', trustedProxies(config.trustProxy));

  app.use(requestLog(logger));
  app.use(requestMetrics(registry));
  app.use(securityHeaders());
  app.use(crossOrigin(config.corsOrigins, apis));

  const routerOf = (api: Omit<Api, 'description'>) => {
    const { name, ownLimits } = api;
    return apiRouter(api, rateLimiter({ name, ...limitOf(api, config.rateLimit), stores, ownLimits }));
  };
  if (options.page !== undefined) app.use(options.page.router);
  app.use(firstOf(apis.map((api) => ({ api, router: routerOf(api) }))));
  app.use(healthRouter({ ...options }));
  app.use(docsRouter(document));
  if (options.page !== undefined) app.use(options.page.notFound);
  app.use(routerOf(ELSEWHERE));
  return { app, document };
}

/** An operator who raises the configured limit above an API's own limit raises that API's limit too. */
function limitOf({ limit }: Pick<Api, 'limit'>, configured: RateLimit): RateLimit {
  if (limit === undefined) return configured;
  return { ...limit, requests: Math.max(limit.requests, configured.requests) };
}

function apiRouter(api: Omit<Api, 'description'>, limiter: RequestHandler): RequestHandler {
  const { routes, errors } = api;
  const router = Router({ caseSensitive: true });
  router.use(limiter);
  for (const [path, methods] of byPath(routes)) {
    // One Express route for all methods, because a request is matched against every route before its own.
    const route = router.route(path);
    for (const { method, body, form, handle } of methods) {
      const reader = form?.reader ?? (body === undefined ? undefined : bodyReader);
      route[method](...(reader === undefined ? [] : [reader]), handle);
    }
    route.all(methodNotAllowed(methods));
  }
  router.use(() => {
    throw new HttpProblem(404, 'NOT_FOUND', 'There is no such path');
  });
  router.use(answerErrors(errors));
  return router;
}

/**
 * Passes a request to the first API that owns its path. One handler, so that a request does not run through the other APIs.
 */
function firstOf(apis: readonly { readonly api: Api; readonly router: RequestHandler }[]): RequestHandler {
  return (request, response, next) => {
    const { path } = request;
    const found = apis.find(({ api }) => belongsTo(api, path));
    if (found === undefined) next();
    else found.router(request, response, next);
  };
}

/** Routes grouped by path, in Express notation. */
function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  for (const route of routes) {
    const path = route.path.replace(/\{(\w+)\}/g, ':$1');
    paths.set(path, [...(paths.get(path) ?? []), route]);
  }
  return paths;
}

function methodNotAllowed(routes: readonly Route[]): RequestHandler {
  const allowed = routes.flatMap(({ method }) =>
    method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  );
  return () => {
    throw new HttpProblem(405, 'METHOD_NOT_ALLOWED', `This path takes ${allowed.join(', ')} only`, {
      headers: { Allow: allowed.join(', ') },
    });
  };
}

function answerErrors(shape: Api['errors']): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem = toProblem(error);
    if (problem.status >= 500) request.log.error(problem.cause ?? problem, problem.message);
    sendJson(response.set(problem.headers), problem.status, shape.body(problem));
  };
}

/** CORS: the other origins that may use each path. */
function crossOrigin(origins: '*' | readonly string[], apis: readonly Api[]): RequestHandler {
  const open = apis.filter(({ anyOrigin }) => anyOrigin === true);
  const toAll = allowedOrigins('*');
  const configured = origins.length > 0 ? allowedOrigins(origins) : undefined;
  return (request, response, next) => {
    const isOpen = open.some((api) => belongsTo(api, request.path));
    const handler = isOpen ? toAll : configured;
    if (handler === undefined) next();
    else handler(request, response, next);
  };
}

function belongsTo({ prefix }: Pick<Api, 'prefix'>, path: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function allowedOrigins(origins: '*' | readonly string[]): RequestHandler {
  return cors({
    origin: origins === '*' ? '*' : [...origins],
    methods: ['GET', 'POST'],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
}
