import type { LocalCluster } from '@curvekit/testing';
import { createMetrics } from '#app/base/metrics.js';
import { startService, type Service, type ServiceOptions } from '#app/service.js';
import { openTestDatabase } from '#tests/database/database.js';
import { testConfig } from './service.js';

/**
 * Starts a service on the cluster, with metrics of its own, and a database of its own unless the environment or the
 * test names another one.
 */
export async function startTestService(
  cluster: LocalCluster,
  environment: Readonly<Record<string, string>> = {},
  { overrides, ...options }: ServiceOptions = {},
): Promise<Service> {
  const isNamed = 'DATABASE_URL' in environment || 'DATABASE_FOLDER' in environment;
  return startService(testConfig(cluster, { PORT: '0', ...environment }), {
    ...options,
    overrides: {
      ...(!isNamed && overrides?.database === undefined && { database: await openTestDatabase() }),
      deployment: cluster.deployment,
      metrics: createMetrics({ ofProcess: false }),
      ...overrides,
    },
  });
}
