// Only the market's stream, on a database: it needs no chain and restarts quickly.
import { pino } from 'pino';
import { readConfig } from '#app/config/config.js';
import type { Database } from '#app/db/database.js';
import { createMetrics } from '#app/base/metrics.js';
import { streamApi } from '#app/market/stream/routes.js';
import { MarketStream } from '#app/market/stream/stream.js';
import { serveApis } from './serve-apis.js';

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
  const { registry } = metrics;
  const { server, document, close } = await serveApis(
    { config: config.http, logger, registry, apis: [streamApi(stream)] },
    port,
  );
  return {
    url: server.url,
    document,
    stop: async () => {
      await stream.stop();
      await close();
    },
  };
}
