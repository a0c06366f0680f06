import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { Gauge } from 'prom-client';
import type { Context } from '../context.js';
import { rowsOf } from '../db/database.js';
import { leaderJob, type Job } from '../db/jobs/leader-job.js';
import { deleteMinutes, rollUp } from './books/roll-up.js';

const INTERVAL_MS = 60_000;

/** A job that rolls candles of minutes up to hours and days, and deletes old ones, on one instance at a time. */
export function createCandlesJob({ database, config, logger, metrics }: Context): Job {
  new Gauge({
    name: 'curvekit_candles_behind_seconds',
    help: 'Time from the last trade in the candles of hours and days until the newest trade: a few minutes, or the charts read more rows',
    registers: [metrics.registry],
    async collect() {
      const [row] = await rowsOf<{ seconds: string }>(
        database.queries,
        sql`select coalesce((select timestamp from trades order by id desc limit 1)
              - (select minute from candles where minute >= rolled_to order by minute limit 1), 0)::text as seconds
            from market_state`,
      ).catch(() => []);
      this.set(Number(row?.seconds ?? NaN));
    },
  });
  return leaderJob({
    name: 'market-candles',
    database,
    logger,
    work: async (signal, leading, step) => {
      while (!signal.aborted) {
        await step(() => rollUp(leading, signal));
        await step(() => deleteMinutes(leading, config.minuteCandlesDays, signal));
        await sleep(INTERVAL_MS, undefined, { signal });
      }
    },
  });
}
