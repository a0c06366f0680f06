import type { Context } from '../context.js';
import { statement } from '../db/database.js';
import { repeatedJob, type Job } from '../db/jobs/leader-job.js';
import { deleteMinutes, rollUp } from './books/roll-up.js';
import { measure } from '../base/metrics.js';

const INTERVAL_MS = 60_000;

/** A job that rolls candles of minutes up to hours and days, and deletes old ones, on one instance at a time. */
export function createCandlesJob({ database, config, logger, metrics }: Context): Job {
  measure(
    metrics.registry,
    'curvekit_candles_behind_seconds',
    'Time from the last trade in the candles of hours and days until the newest trade: a few minutes, or the charts read more rows',
    async () => {
      const [row] = await statement<{ seconds: string }>(database.queries)`
        select coalesce((select timestamp from trades order by id desc limit 1)
          - (select minute from candles where minute >= rolled_to order by minute limit 1), 0)::text as seconds
        from market_state`;
      return row && Number(row.seconds);
    },
  );
  return repeatedJob('market-candles', { database, logger }, INTERVAL_MS, async (leading, step, signal) => {
    await step(() => rollUp(leading, signal));
    await step(() => deleteMinutes(leading, config.minuteCandlesDays, signal));
  });
}
