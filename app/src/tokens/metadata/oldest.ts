// Whether the metadata of new tokens is fetched. A token that holds the fetcher stays the oldest one.
import { Gauge } from 'prom-client';
import type { Context } from '../../context.js';
import { statement, type Queries } from '../../db/database.js';
import { CheckWarning, looksAt, type Check } from '../../http/health.js';
import { fetching } from './metadata-job.js';

/** More than the places of eight tokens take. */
const LATE_MS = 120_000;
/** Tokens looked at, the newest ones. */
const NEWEST = 1_000;

/** Every instance looks, because the leader may be the one that hangs. By its own clock: a token can be indexed long after its creation. */
export function metadataCheck(
  { database, metrics }: Pick<Context, 'database' | 'metrics'>,
  lateMs = LATE_MS,
): Check {
  let oldest: { readonly mint: string; readonly since: number } | undefined;
  const check: Check = {
    name: 'metadata',
    run: async () => {
      const mint = await oldestUnfetched(database.queries);
      if (mint !== oldest?.mint) oldest = mint === undefined ? undefined : { mint, since: performance.now() };
      const ms = oldest === undefined ? 0 : performance.now() - oldest.since;
      seconds.set(ms / 1_000);
      if (ms > lateMs)
        throw new CheckWarning(
          `the metadata of ${oldest!.mint} and of later tokens is not fetched; restart the worker`,
        );
    },
  };
  const seconds = new Gauge({
    name: 'curvekit_metadata_oldest_unfetched_seconds',
    help: 'How long the oldest token whose metadata was never fetched has been the oldest one; 0 without such a token',
    registers: [metrics.registry],
    collect: looksAt(check),
  });
  return check;
}

async function oldestUnfetched(queries: Queries): Promise<string | undefined> {
  const [row] = await statement<{ mint: string }>(queries)`
    select t.mint from (select mint, record_id from tokens order by record_id desc limit ${NEWEST}) t
    where not exists (select 1 from token_metadata m where m.mint = t.mint)
      and not exists (select 1 from tasks w where w.kind = ${fetching.kind} and w.subject = t.mint)
    order by t.record_id limit 1`;
  return row?.mint;
}
