// Only the market's stream, on a database: it needs no chain and restarts quickly.
import { pino } from 'pino';
import { readConfig } from '#app/config/config.js';
import type { Database } from '#app/db/database.js';
import { createApp } from '#app/http/app.js';
import { memoryStores } from '#app/http/rate-limit-store.js';
import { listen } from '#app/http/server.js';
import { createMetrics } from '#app/base/metrics.js';
import { streamApi } from '#app/market/stream/routes.js';
import { MarketStream } from '#app/market/stream/stream.js';

export interface StreamServer {
  readonly url: string;
  readonly document: object;
  stop(): Promise<void>;
}

/** @param port 0 picks a free port */
export async function startStreamServer(
  database: Database,
  environment: Readonly<Record<string, string>> = {},
  port = 0,
): Promise<StreamServer> {
  const config = readConfig({ STREAMS_PER_ADDRESS: '1000', RATE_LIMIT_REQUESTS: '1000000', ...environment });
  const logger = pino({ level: 'silent' });
  const metrics = createMetrics({ ofProcess: false });
  const progress = () => Promise.resolve({ slot: 4_411, ageMs: 1_000 });
  const stream = new MarketStream({ database, logger, metrics }, progress, config.redisUrl);
  const stores = memoryStores();
  const { app, document } = createApp({
    config: config.http,
    serviceName: 'Test',
    version: '1.0.0',
    logger,
    registry: metrics.registry,
    apis: [streamApi(stream)],
    stores,
    healthChecks: [],
    readyChecks: [],
    isClosing: () => false,
  });
  const server = await listen(app, { ...config.http, host: '127.0.0.1', port });
  return {
    url: server.url,
    document,
    stop: async () => {
      await stream.stop();
      await server.close(1_000);
      stores.close();
    },
  };
}
