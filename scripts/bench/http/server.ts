// The process of a measured server: the service, or a minimal Express application with the same middlewares and the
// same classes of requests. It reports its URL.
import express from 'express';
import { readConfig } from '#app/config/config.js';
import { rateLimiter } from '#app/http/rate-limit.js';
import { memoryStores } from '#app/http/rate-limit-store.js';
import { requestLog } from '#app/http/request-log.js';
import { requestMetrics } from '#app/http/request-metrics.js';
import { securityHeaders } from '#app/http/security-headers.js';
import { listen } from '#app/http/server.js';
import { createLogger } from '#app/base/logging/logging.js';
import { createMetrics } from '#app/base/metrics.js';
import { startService } from '#app/service.js';

/** @param what `service` or `bare` */
async function start(what: string): Promise<string> {
  return what === 'bare' ? startBare() : (await startService(readConfig(process.env))).url;
}

async function startBare(): Promise<string> {
  const { http, logLevel } = readConfig(process.env);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(requestLog(createLogger(logLevel)));
  app.use(requestMetrics(createMetrics({ ofProcess: true }).registry));
  app.use(securityHeaders());
  app.use(rateLimiter({ name: 'bare', ...http.rateLimit, stores: memoryStores() }));
  app.get('/v1/internal', (_request, response) => {
    response.json({ version: 'v1' });
  });
  return (await listen(app, http)).url;
}

process.on('disconnect', () => process.exit(0));
process.send?.(await start(process.argv[2] ?? 'service'));
