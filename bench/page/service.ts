// Starts the service with the built page, for the benchmarks of the page.
import type { LocalCluster } from '@curvekit/testing';
import { openDatabase, type Database } from '#app/db/database.js';
import { createMetrics } from '#app/metrics.js';
import { startService, type Service } from '#app/service.js';
import { testConfig } from '#tests/service/service.js';

/** @param indexer `off` when this process writes the trades itself */
export async function withPageService<T>(
  { cluster, url }: { readonly cluster: LocalCluster; readonly url: string },
  indexer: 'on' | 'off',
  work: (service: Service, database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ kind: 'postgres', url, poolSize: 10 });
  const config = testConfig(cluster, {
    PORT: '0',
    INDEXER: indexer,
    SETTLEMENT_INTERVAL_SECONDS: '0',
    MARKET_RATE_LIMIT_REQUESTS: '1000000',
  });
  const service = await startService(config, {
    overrides: { database, deployment: cluster.deployment, metrics: createMetrics({ ofProcess: false }) },
  });
  if (service.page === undefined) throw new Error('there is no built page: run `npm run build`');
  try {
    return await work(service, database);
  } finally {
    await service.stop();
  }
}
