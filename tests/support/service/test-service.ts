import type { LocalCluster } from '@curvekit/testing';
import { createMetrics } from '#app/base/metrics.js';
import { startService, type Service, type ServiceOptions } from '#app/service.js';
import { openTestDatabase } from '#tests/database/database.js';
import { testConfig } from './service.js';

/** Starts a service on the cluster, with a database and metrics of its own unless the test gives others. */
export async function startTestService(
  cluster: LocalCluster,
  environment: Readonly<Record<string, string>> = {},
  { overrides, ...options }: ServiceOptions = {},
): Promise<Service> {
  return startService(testConfig(cluster, { PORT: '0', ...environment }), {
    ...options,
    overrides: {
      database: overrides?.database ?? (await openTestDatabase()),
      deployment: cluster.deployment,
      metrics: createMetrics({ ofProcess: false }),
      ...overrides,
    },
  });
}
