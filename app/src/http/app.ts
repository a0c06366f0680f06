// The Express application: the middleware of every request, then the routes of the APIs.
import cors from 'cors';
import express, { Router, type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.js';
import { USUAL_REQUESTS } from '../config/settings.js';
import { hideSecrets } from '../base/secrets.js';
import type { Logger } from '../base/logging/logging.js';
import { isTracing } from '../base/tracing/spans.js';
import type { Api } from './api.js';
import { Admission } from './admission.js';
import { formReader, hasLongRest, jsonReader } from './body.js';
import { BOUNDS, type Bounds, type Kind } from './bounds.js';
import { trustedProxies } from './client-address.js';
import { docsRouter } from './docs.js';
import { envelopeErrors } from './error-shapes.js';
import { healthRouter, type Check } from './health.js';
import { JsonText, toJson } from './json.js';
import { openApiDocument, type OpenApiDocument } from './openapi.js';
import { HttpProblem, toProblem } from './problem.js';
import { rateLimiter, type RateLimit } from './rate-limit.js';
import type { LimitStores } from './rate-limit-store.js';
import { requestLog } from './request-log.js';
import { requestMetrics } from './request-metrics.js';
import { requestTrace } from './request-trace.js';
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

/** The web page. Its files have no limit, because it would lock users out. Its documents get one. */
export interface PageHandlers {
  /** @param limit comes before every document */
  readonly router: (limit: RequestHandler) => RequestHandler;
  /** For paths that no other handler answers. A browser gets a page that says so. @param limit as above */
  readonly notFound: (limit: RequestHandler) => RequestHandler;
}

/** Headers that pages of other origins may read. They may send any: clients of public protocols have their own, and no answer depends on a cookie. */
const EXPOSED_HEADERS = [
  'Date',
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

const ABOUT = `Tokens and their trades; rewards of wallets and how to claim them; how tokens were settled; users of partners and what they earn.

**Amounts** are lamports, or a token's smallest units. Rewards, settlements and the Partner API write them as integers of JSON (\`int64\`, can be above 2^53), also \`volumeSol\`, \`feesSol\` and \`rewardSol\`; all others as decimal text. Slots, times and counts are integers below 2^53.

**Errors**: \`{status: "error", code, message, errors?}\`, but \`{message, error, statusCode}\` with the status as text in the Partner API, \`{message}\` in Solana Actions, and JSON-RPC's in \`/rpc\`.

**Changes.** Answers can get more fields: ignore those that you do not know. Requests are read strictly, except in Solana Actions and \`/rpc\`. A text that fits a pattern can still be refused with 400, such as an address that is not 32 bytes, one that no wallet can sign for, or a cursor of another list.`;

/** Paths outside every API. They get the same error shape and rate limit as an API. */
const ELSEWHERE: Omit<Api, 'description'> = {
  name: 'elsewhere',
  prefix: '',
  kind: 'other',
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
    description: ABOUT,
    publicUrl: config.publicUrl,
  });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');
  app.set('trust proxy', trustedProxies(config.trustProxy));

  app.use(allOf([requestLog(logger, config.accessLog), requestMetrics(registry), securityHeaders()]));
  if (isTracing()) app.use(requestTrace());

  const admission = new Admission(config);
  const limiter = ({ name, kind, limit, ownLimits }: Pick<Api, 'name' | 'kind' | 'limit' | 'ownLimits'>) =>
    rateLimiter({ name, ...limitOf(kind, limit, config.rateLimit), stores, ownLimits });
  const routerOf = (api: Omit<Api, 'description'>) => apiRouter(api, admission, limiter(api));
  const { page } = options;
  const limitPages = admission.before('page', limiter({ name: 'page', kind: 'page' }));
  const pages = page === undefined ? [] : [page.router(limitPages)];
  const ofApis = firstOf(apis.map((api) => ({ api, router: routerOf(api) })));
  app.use(inTurn([crossOrigin(config.corsOrigins, apis), ...pages, ofApis]));
  app.use(OPERATORS_PATHS, admission.before('other', pass));
  app.use(healthRouter({ ...options, isPublic: config.operatorPort !== undefined }));
  app.use(docsRouter(document));
  if (page !== undefined) app.use(page.notFound(limitPages));
  app.use(routerOf(ELSEWHERE));
  app.use(answerErrors(envelopeErrors));
  return { app, document };
}

/** One handler of several, because each handler of the application takes every request a turn of its router. They call `next` at once. */
function allOf(handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    for (const handler of handlers) void handler(request, response, goOn);
    next();
  };
}

const goOn = (): void => undefined;

/** One handler of several, for the same reason. Each answers, or calls `next`; none returns a promise. */
function inTurn(handlers: readonly RequestHandler[]): RequestHandler {
  return handlers.reduceRight<RequestHandler>(
    (rest, handler) => (request, response, next) =>
      handler(request, response, (problem?: unknown) => {
        if (problem === undefined || problem === null) void rest(request, response, next);
        else next(problem);
      }),
    pass,
  );
}

/** They have no rate limit: monitoring reads them every few seconds. */
const OPERATORS_PATHS = ['/health', '/ready', '/metrics', '/docs', '/openapi.json'];
const pass: RequestHandler = (_request, _response, next) => next();

/** An operator who raises the configured limit above the usual one and an API's own limit raises that API's limit too. */
function limitOf(
  kind: Kind = 'api',
  limit: RateLimit | undefined = (BOUNDS[kind] as Bounds).rate,
  configured: RateLimit,
): RateLimit {
  if (limit === undefined) return configured;
  const raised = configured.requests > USUAL_REQUESTS ? configured.requests : 0;
  return { ...limit, requests: Math.max(limit.requests, raised) };
}

function apiRouter(
  api: Omit<Api, 'description'>,
  admission: Admission,
  limiter: RequestHandler,
): RequestHandler {
  const { kind = 'api', routes, errors } = api;
  const router = Router({ caseSensitive: true });
  // One handler, because each costs every request a turn of the router.
  router.use(admission.before(kind, limiter));
  const bodies = admission.bodiesOf(kind);
  for (const [path, methods] of byPath(routes)) {
    // One Express route for all methods, because a request is matched against every route before its own.
    const route = router.route(path);
    for (const { method, body, form, precheck, handle } of methods) {
      const reader = form === undefined ? body && jsonReader(bodies) : formReader(bodies);
      route[method](...[precheck, reader].filter((handler) => handler !== undefined), handle);
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
  const owned = apis.map(({ api, router }) => ({ owns: ownerOf(api), router }));
  return (request, response, next) => {
    const { path } = request;
    for (const { owns, router } of owned) if (owns(path)) return router(request, response, next);
    return next();
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
    if (hasLongRest(request)) response.setHeader('Connection', 'close');
    // A refusal without a cause is a limit: the line of the request says it.
    if (problem.status >= 500 && problem.cause !== undefined)
      request.log.error(problem.cause, problem.message);
    // A message may quote the node's.
    const body = hideSecrets(toJson(shape.body(problem)));
    sendJson(response.set(problem.headers), problem.status, new JsonText(body));
  };
}

/** CORS: the other origins that may use each path. */
function crossOrigin(origins: '*' | readonly string[], apis: readonly Api[]): RequestHandler {
  const open = apis.filter(({ anyOrigin }) => anyOrigin === true).map(ownerOf);
  const toAll = allowedOrigins('*');
  const configured = origins.length > 0 ? allowedOrigins(origins) : undefined;
  return (request, response, next) => {
    const { path } = request;
    const isOpen = open.some((owns) => owns(path));
    const handler = isOpen ? toAll : configured;
    if (handler === undefined) next();
    else handler(request, response, next);
  };
}

function ownerOf({ prefix }: Pick<Api, 'prefix'>): (path: string) => boolean {
  const inside = `${prefix}/`;
  return (path) => path === prefix || path.startsWith(inside);
}

function allowedOrigins(origins: '*' | readonly string[]): RequestHandler {
  return cors({
    origin: origins === '*' ? '*' : [...origins],
    methods: ['GET', 'POST'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
}
