// Advances the clock of a simulated cluster, where time advances only with transactions. Otherwise a new pool would stay
// closed until the next trade.
import { setTimeout as sleep } from 'node:timers/promises';
import { InvalidArgumentError } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import type { Job } from '../../db/jobs/job.js';
import type { Logger } from '../../base/logging/logging.js';

const SECOND_MS = 1_000;

/** Keeps a simulated cluster's clock at real time. Does nothing on other clusters. */
export function createClock(cluster: LocalCluster, logger: Logger): Job {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    let before = (await cluster.clock()).unixTimestamp;
    while (!signal.aborted) {
      await sleep(SECOND_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        const { unixTimestamp: now } = await cluster.clock();
        if (now <= before) await cluster.timeTravelToTimestamp(before + 1n);
        before = now > before ? now : before + 1n;
      } catch (error) {
        // Meanwhile a transaction has advanced the clock.
        if (error instanceof InvalidArgumentError) continue;
        logger.warn({ err: error }, "moving the local cluster's clock failed; it is tried again in a second");
      }
    }
  }

  return {
    name: 'clock',
    start: () => {
      if (cluster.kind === 'surfpool') running ??= run();
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
