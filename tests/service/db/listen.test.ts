// Listening for PostgreSQL's notifications can be stopped at any moment, and a failed start says why.
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { listenOn } from '#app/db/postgres.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import { freePortOf } from '#tests/node/serve.js';
import { eventually } from '#tests/service/service.js';

const CHANNEL = 'curvekit_test';
/** From before the connection to after it. */
const MOMENTS_MS = [0, 0, 1, 2, 3, 5, 8, 13, 21, 100];
const AT_ONCE_MS = 2_000;

async function stopsAtOnce(stop: () => Promise<void>): Promise<void> {
  const late = sleep(AT_ONCE_MS, 'late');
  expect(await Promise.race([stop().then(() => 'stopped'), late])).to.equal('stopped');
}

if (DATABASE_KIND === 'postgres')
  describe('listening for notifications', () => {
    it('stops while it connects, and right afterwards', async () => {
      const { url } = await sharedPostgres();
      for (const moment of MOMENTS_MS) {
        const stop = listenOn({ connectionString: url }, CHANNEL, () => undefined);
        if (moment > 0) await sleep(moment);
        await stopsAtOnce(stop);
      }
    });

    it('stops although the server never answers', async () => {
      const server = createServer(() => undefined);
      const silent = {
        host: '127.0.0.1',
        port: await freePortOf(server),
        user: 'nobody',
        database: 'nothing',
      };
      for (const moment of MOMENTS_MS) {
        const stop = listenOn(silent, CHANNEL, () => undefined);
        await sleep(moment);
        await stopsAtOnce(stop);
      }
      server.close();
    });

    it('goes on after every connection was broken', async () => {
      const server = await sharedPostgres();
      let heard = 0;
      const stop = listenOn({ connectionString: server.url }, CHANNEL, () => (heard += 1));
      await eventually(() => heard === 1, 'the first connection', 10_000);
      await server.breakConnections();
      await eventually(() => heard >= 2, 'the second connection', 10_000);
      const before = heard;
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(`notify ${CHANNEL}`);
      await client.end();
      await eventually(() => heard > before, 'the notification', 10_000);
      await stopsAtOnce(stop);
    });
  });
