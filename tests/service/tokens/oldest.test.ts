// The metadata of a token that is never fetched shows in /ready and in a metric.
import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#app/db/database.js';
import { tokenMetadata } from '#app/db/schema/index.js';
import { resultOf } from '#app/http/health.js';
import { metadataCheck } from '#app/tokens/metadata/oldest.js';
import { createMetrics } from '#app/base/metrics.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';

const LATE_MS = 1_000;

describe(`the oldest token whose metadata was never fetched (${DATABASE_KIND})`, () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());

  it('is named when it stays the oldest one, and forgotten once it was fetched', async () => {
    const metrics = createMetrics({ ofProcess: false });
    const check = { ...metadataCheck({ database, metrics }, LATE_MS), keptMs: 0 };
    const look = async () => {
      await sleep(20); // until the last result is no longer reused
      return (await resultOf(check)).says;
    };
    const fetched = (mint: string) =>
      database.queries.insert(tokenMetadata).values({ mint, uri: '', image: '', fetchedAt: new Date() });
    await storeToken(database.queries, { mint: 'first', uri: 'https://example.com' });
    await storeToken(database.queries, { mint: 'second', uri: 'https://example.com' });
    expect(await look()).to.equal('ok');
    await sleep(LATE_MS);
    expect(await look()).to.match(/^warning: the metadata of first and of later tokens is not fetched/);
    const name = 'curvekit_metadata_oldest_unfetched_seconds';
    const text = await metrics.registry.getSingleMetricAsString(name);
    expect(Number(/ ([\d.]+)$/.exec(text)?.[1])).to.be.at.least(LATE_MS / 1_000);
    await fetched('first');
    expect(await look()).to.equal('ok');
    await fetched('second');
    await sleep(LATE_MS);
    expect(await look()).to.equal('ok');
  });
});
