// The metrics of the connection pools.
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { Registry } from 'prom-client';
import { openDatabase, type Database } from '#app/db/database.js';
import { measurePools } from '#app/db/metrics.js';
import { DATABASE_KIND, emptyDatabaseConfig, openEmptyDatabase } from '#tests/database/database.js';
import { eventually } from '#tests/service/service.js';

describe(`the connection pools (${DATABASE_KIND})`, () => {
  let database: Database;
  const scrape = async () => {
    const registry = new Registry();
    measurePools(database, registry);
    return (await registry.metrics()).split('\n').filter((line) => line.startsWith('curvekit_database_pool'));
  };
  afterEach(() => database.close());

  if (DATABASE_KIND === 'pglite') {
    it('do not exist in the embedded database', async () => {
      database = await openEmptyDatabase();
      expect(await scrape()).to.deep.equal([]);
    });
    return;
  }

  it('show what is busy, idle and waited for, by pool', async () => {
    const config = await emptyDatabaseConfig();
    database = await openDatabase({ ...config, poolSize: 5 } as typeof config);
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => (release = resolve));
    // The pool of requests has two connections.
    const held = [1, 2, 3].map(() =>
      database.transaction(async (tx) => {
        await tx.execute(sql`select 1`);
        await released;
      }),
    );
    await eventually(async () => (await scrape()).includes(line('connections', 'busy', 2)), 'two that work');
    const lines = await scrape();
    expect(lines).to.include.members([
      line('connections', 'idle', 0),
      'curvekit_database_pool_size{pool="requests"} 2',
      'curvekit_database_pool_waiting{pool="requests"} 1',
      'curvekit_database_pool_waiting{pool="payments"} 0',
      'curvekit_database_pool_size{pool="leases"} 1',
    ]);
    release();
    await Promise.all(held);
    expect(await scrape()).to.include.members([
      line('connections', 'busy', 0),
      line('connections', 'idle', 2),
      'curvekit_database_pool_waiting{pool="requests"} 0',
    ]);
  });
});

const line = (metric: string, state: string, value: number) =>
  `curvekit_database_pool_${metric}{pool="requests",state="${state}"} ${value}`;
