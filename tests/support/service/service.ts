// Parts of the service on a test's own cluster and database.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalCluster } from '@curvekit/testing';
import { createIndexer } from '#app/index/indexer.js';
import { type IndexHooks } from '#app/index/hooks.js';
import type { Job } from '#app/db/jobs/leader-job.js';
import { readConfig, type Config } from '#app/config/config.js';
import { createContext, type Context } from '#app/context.js';
import { statement, type Database } from '#app/db/database.js';
import { createMetrics } from '#app/base/metrics.js';
import { passSlots, SLOTS_TO_FINALITY } from '#tests/cluster/blocks.js';

export function simulatedCluster({ kind }: Pick<LocalCluster, 'kind'>): 'on' | 'off' {
  return kind === 'surfpool' ? 'on' : 'off';
}

export function testConfig(cluster: LocalCluster, environment: Record<string, string> = {}): Config {
  return readConfig({
    RPC_URL: cluster.rpcUrl,
    SIMULATED_CLUSTER: simulatedCluster(cluster),
    WS_URL: cluster.wsUrl,
    PROGRAM_ID: cluster.programId.toBase58(),
    INDEXER_POLL_MS: '100',
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    ...environment,
  });
}

export function testContext(
  cluster: LocalCluster,
  database: Database,
  environment: Record<string, string> = {},
): Promise<Context> {
  return createContext(testConfig(cluster, environment), {
    database,
    deployment: cluster.deployment,
    metrics: createMetrics({ ofProcess: false }),
  });
}

export function startIndexer(context: Context, ...hooks: readonly IndexHooks[]): Job {
  const indexer = createIndexer(context, hooks);
  indexer.start();
  return indexer;
}

/** Waits until the currently confirmed slot is finalized. */
export async function finalize(cluster: LocalCluster): Promise<void> {
  const slot = await cluster.connection.getSlot('confirmed');
  await passSlots(cluster, SLOTS_TO_FINALITY);
  await eventually(async () => (await cluster.connection.getSlot('finalized')) >= slot, 'finality', 60_000);
}

/** Waits until the index has this many records, with at least `finalized` of them finalized. */
export async function untilIndexed(
  { database }: Pick<Context, 'database'>,
  wanted: { readonly records: number; readonly finalized?: number },
  timeoutMs?: number,
): Promise<void> {
  await eventually(
    async () => {
      const [row] = await statement<{ all: number; finalized: number }>(database.queries)`
        select count(*)::integer as all, (count(*) filter (where finalized))::integer as finalized from records`;
      return row?.all === wanted.records && row.finalized >= (wanted.finalized ?? 0);
    },
    `${wanted.records} records, ${wanted.finalized ?? 0} of them final`,
    timeoutMs,
  );
}

/**
 * Waits until a condition holds.
 * @param what names the condition; a function can include the last observation
 * @throws at the timeout, with `what`
 */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string),
  timeoutMs = 20_000,
): Promise<void> {
  const until = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > until) {
      const awaited = typeof what === 'string' ? what : what();
      throw new Error(`waited ${timeoutMs} ms in vain for ${awaited}`);
    }
    await sleep(25);
  }
}
