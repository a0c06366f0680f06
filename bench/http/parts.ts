// The parts that handle a request. Each step of this list is a server with one part more than the step before, so that
// the difference of two steps is the cost of a part.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import express from 'express';
import type { ClaimsRepository } from '#app/claims/repository.js';
import type { Claims } from '#app/claims/claims.js';
import type { Config } from '#app/config/config.js';
import { openDatabase } from '#app/db/database.js';
import { createApp } from '#app/http/app.js';
import type { Api } from '#app/http/api.js';
import { plainErrors } from '#app/http/error-shapes.js';
import { rateLimiter } from '#app/http/rate-limit.js';
import { memoryStores } from '#app/http/rate-limit-store.js';
import { requestLog } from '#app/http/request-log.js';
import { requestMetrics } from '#app/http/request-metrics.js';
import { defineRoute, sendJson } from '#app/http/route.js';
import { securityHeaders } from '#app/http/security-headers.js';
import { listen } from '#app/http/server.js';
import { createLogger } from '#app/logging/logging.js';
import { createMetrics } from '#app/metrics.js';
import { versionAnswer } from '#app/partner/schemas.js';
import { WalletAuth } from '#app/http/wallet-auth.js';
import type { RewardsService } from '#app/rewards/rewards-service.js';
import { rewardsApi } from '#app/rewards/routes.js';
import { startService } from '#app/service.js';

export interface Step {
  /** The part that it has in addition to the step before. */
  readonly adds: string;
  /** The requested path. */
  readonly target: 'version' | 'rewards';
  /** Index of the step that it is compared with. */
  readonly after?: number;
  readonly start: (config: Config) => Promise<string>;
}

const VERSION = { version: 'v1' } as const;

const MIDDLEWARES = [
  ['metrics', () => requestMetrics(createMetrics({ ofProcess: true }).registry)],
  [
    'limiter',
    ({ http }: Config) => rateLimiter({ name: 'bench', ...http.rateLimit, stores: memoryStores() }),
  ],
  ['helmet', () => securityHeaders()],
  ['logger', ({ logLevel }: Config) => requestLog(createLogger(logLevel))],
] as const;

export const STEPS: readonly Step[] = [
  { adds: "Node's HTTP server, answering", target: 'version', start: startNode },
  { adds: 'Express: its router, its classes prebuilt', target: 'version', start: startWith(0) },
  ...MIDDLEWARES.map(([name], index) => ({
    adds: name,
    target: 'version' as const,
    start: startWith(index + 1),
  })),
  { adds: "the API's routers and checks of the request", target: 'version', start: startRoute },
  { adds: "the partner's key: GET /v1/internal is whole", target: 'version', start: startWhole },
  {
    adds: 'GET /rewards: path, query, the signature on its thread',
    target: 'rewards',
    after: 6,
    start: startSigned,
  },
  { adds: 'reading and writing the rewards: it is whole', target: 'rewards', start: startWhole },
];

async function startNode({ http }: Config): Promise<string> {
  const text = JSON.stringify(VERSION);
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', text.length);
    response.end(text);
  });
  server.listen(http.port, http.host);
  await once(server, 'listening');
  return `http://${http.host}:${(server.address() as AddressInfo).port}`;
}

function startWith(middlewares: number): Step['start'] {
  return async (config) => {
    const app = express();
    app.disable('x-powered-by');
    app.disable('etag');
    for (const [, make] of MIDDLEWARES.slice(0, middlewares)) app.use(make(config));
    app.get('/v1/internal', (_request, response) => sendJson(response, 200, VERSION));
    return (await listen(app, config.http)).url;
  };
}

function startRoute(config: Config): Promise<string> {
  const route = defineRoute({
    method: 'get',
    path: '/v1/internal',
    operationId: 'version',
    summary: 'Version',
    answer: versionAnswer,
    answerDescription: 'The version',
    handler: () => Promise.resolve(VERSION),
  });
  return serve(config, { name: 'v1', description: '', prefix: '/v1', errors: plainErrors, routes: [route] });
}

async function startSigned(config: Config): Promise<string> {
  const database = await openDatabase(config.database);
  const nothing = { page: () => Promise.resolve({ entries: [], next: undefined }) };
  return serve(
    config,
    rewardsApi({
      auth: new WalletAuth(database, Date.now),
      rewards: nothing as unknown as RewardsService,
      claims: undefined as unknown as Claims,
      repository: undefined as unknown as ClaimsRepository,
      publicUrl: undefined,
    }),
  );
}

async function serve(config: Config, api: Api): Promise<string> {
  const { app } = createApp({
    config: config.http,
    serviceName: config.serviceName,
    version: '',
    logger: createLogger(config.logLevel),
    registry: createMetrics({ ofProcess: true }).registry,
    apis: [api],
    stores: memoryStores(),
    healthChecks: [],
    readyChecks: [],
    isClosing: () => false,
  });
  return (await listen(app, config.http)).url;
}

async function startWhole(config: Config): Promise<string> {
  return (await startService(config)).url;
}
