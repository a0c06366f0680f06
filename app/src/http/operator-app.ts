// The application of OPERATOR_PORT: `/health`, `/ready` and `/metrics`, for the operator's own network.
import express, { type Express } from 'express';
import type { AppOptions } from './app.js';
import { healthRouter } from './health.js';
import { requestLog } from './request-log.js';
import { listen, type RunningServer } from './server.js';
import { securityHeaders } from './security-headers.js';

/** Listens on OPERATOR_PORT, if it is configured. @throws ListenError */
export async function listenForOperators(
  app: Express,
  { host, operatorPort }: AppOptions['config'],
): Promise<RunningServer | undefined> {
  if (operatorPort === undefined) return undefined;
  return listen(app, { host, port: operatorPort, variable: 'OPERATOR_PORT' });
}

/** Everything else is answered with 404. */
export function createOperatorApp(
  options: Pick<AppOptions, 'config' | 'logger' | 'registry' | 'healthChecks' | 'readyChecks' | 'isClosing'>,
): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.use(requestLog(options.logger, options.config.accessLog), securityHeaders(), healthRouter(options));
  return app;
}
