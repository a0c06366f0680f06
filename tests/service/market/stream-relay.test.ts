// Instances with Redis hand each other the events of the market, so that one of them reads the table for all.
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { expect } from 'chai';
import { openDatabase, type Database } from '#app/db/database.js';
import { appendEvents } from '#app/market/stream/outbox.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { DATABASE_KIND, postgresWithTables } from '#tests/database/database.js';
import { startRedis, type RedisServer } from '#tests/database/redis.js';
import { eventually } from '#tests/service/service.js';
import { startStreamServer, type StreamServer } from '#tests/service/stream-server.js';
import { Follower } from '#tests/service/stream-follower.js';
import { tradeOf } from '#tests/service/stream.js';
import { newAddress } from '#tests/new-address.js';

const INSTANCES = 3;

interface Instance {
  readonly database: Database;
  server: StreamServer;
  readonly follower: Follower;
  /** How often it has read the table. */
  reads: number;
}

if (DATABASE_KIND === 'postgres')
  describe('instances that share Redis and a market', () => {
    const mint = newAddress();
    let redis: RedisServer;
    let url: string;
    let instances: Instance[];
    let sent = 0;

    before(async () => {
      redis = await startRedis();
      url = await postgresWithTables();
      instances = await Promise.all(Array.from({ length: INSTANCES }, start));
      // The first that has a reader reads for all.
      await sleep(1_000);
    });
    after(async () => {
      for (const { follower, server, database } of instances) {
        follower.close();
        await server.stop();
        await database.close();
      }
      await redis.stop();
    });

    async function start(): Promise<Instance> {
      const opened = await openDatabase({ kind: 'postgres', url, poolSize: 4 });
      const instance = { reads: 0 } as Instance;
      const database = counting(opened, () => (instance.reads += 1));
      const server = await startStreamServer(database, { REDIS_URL: redis.url });
      const follower = new Follower(server.url, [`token:${mint}`]);
      await follower.untilOpen();
      return Object.assign(instance, { database, server, follower });
    }

    async function append(count: number, pauseMs: number): Promise<void> {
      for (let done = 0; done < count; done += 1) {
        await instances[0]!.database.transaction((tx) => appendEvents(tx, [tradeOf(mint, (sent += 1))]));
        await sleep(pauseMs);
      }
    }

    /** Every follower has every trade once, in order. */
    async function haveAll(): Promise<void> {
      const all = Array.from({ length: sent }, (_, index) => index + 1);
      for (const { follower } of instances) {
        await eventually(() => follower.trades.length >= sent, `${sent} trades`);
        expect(follower.trades).to.deep.equal(all);
      }
    }

    it('read the table in one of them, and once a second in the others', async () => {
      const before = instances.map(({ reads }) => reads);
      const began = performance.now();
      await append(60, 50);
      const seconds = (performance.now() - began) / 1_000;
      await haveAll();
      const reads = instances.map((instance, index) => instance.reads - before[index]!).sort((a, b) => b - a);
      expect(reads[0]).to.be.above(30);
      // Each looks once a second by itself. A busy machine can make one look that was about to be served.
      expect(reads[1]).to.be.below(2 * seconds + 10);
    });

    it('miss nothing when the one that reads is stopped', async () => {
      for (let times = 0; times < INSTANCES - 1; times += 1) {
        const appending = append(30, 20);
        await sleep(200);
        const reader = instances.toSorted((a, b) => b.reads - a.reads)[0]!;
        const port = Number(new URL(reader.server.url).port);
        await reader.server.stop();
        await sleep(100);
        reader.server = await startStreamServer(reader.database, { REDIS_URL: redis.url }, port);
        reader.reads = 0;
        await appending;
        await haveAll();
      }
    });

    it('miss nothing while Redis is frozen, and are served by one of them again afterwards', async () => {
      const appending = append(240, 20);
      await sleep(300);
      redis.freeze(true);
      try {
        await sleep(3_000);
        // Each reads the table itself, at once.
        const began = instances.map(({ reads }) => reads);
        await sleep(1_000);
        for (const [index, { reads }] of instances.entries()) expect(reads - began[index]!).to.be.above(10);
      } finally {
        redis.freeze(false);
      }
      await appending;
      await haveAll();
      await sleep(3_000);
      const before = instances.map(({ reads }) => reads);
      await append(40, 50);
      await haveAll();
      const reads = instances.map((instance, index) => instance.reads - before[index]!).sort((a, b) => b - a);
      expect(reads[0]).to.be.above(20);
      expect(reads[1]).to.be.below(20);
    });

    it('are not misled by batches that cannot be read, that leave events out, or that come twice', async () => {
      const client = new Redis(redis.url);
      const heard: string[] = [];
      atEnd(() => client.quit());
      const listener = client.duplicate();
      await listener.psubscribe('curvekit:market-events:*');
      listener.on('pmessage', (_, channel: string, text: string) => heard.push(channel, text));
      await append(5, 60);
      await eventually(() => heard.length > 0, 'a batch');
      const [channel, text] = heard as [string, string];
      const batch = JSON.parse(text) as { after: string; events: { id: string }[] };
      const far = { after: String(BigInt(batch.after) + 1_000n), events: batch.events };
      for (const wrong of ['nonsense', '{}', 'null', JSON.stringify(far), text, text])
        await client.publish(channel, wrong);
      await append(5, 60);
      await haveAll();
      await listener.quit();
    });
  });

/** The database, which tells of every read of new events. */
function counting(database: Database, onRead: () => void): Database {
  const queries = new Proxy(database.queries, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'execute' || typeof value !== 'function') return value;
      return (query: Parameters<typeof target.execute>[0]) => {
        if (JSON.stringify(query).includes('from market_events where')) onRead();
        return target.execute(query);
      };
    },
  });
  return { ...database, queries };
}
