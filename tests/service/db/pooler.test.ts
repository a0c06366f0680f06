// What `curvekit doctor` says of a pooler in front of PostgreSQL.
import { expect } from 'chai';
import { checkPooler } from '#app/operator/doctor/database-checks.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import { freePortOf } from '#tests/node/serve.js';
import { connect, createServer, type Socket } from 'node:net';

/** A message that ends with "ready for a query, and in no transaction". */
const isReady = (messages: Buffer) =>
  messages.at(-6) === 'Z'.charCodeAt(0) && messages.at(-1) === 'I'.charCodeAt(0);
const FORGET = Buffer.from('Q\0\0\0\x13deallocate all\0', 'latin1');

/**
 * A pooler in transaction mode that knows nothing of prepared statements, as PgBouncer before 1.21: after each transaction the
 * next one can have another connection of the server, so the server forgets them.
 */
async function startForgettingPooler(target: string): Promise<{ readonly url: string; stop(): void }> {
  const { hostname, port, pathname, username } = new URL(target);
  const sockets: Socket[] = [];
  const pooler = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) socket.on('error', () => socket.destroy());
    sockets.push(client, server);
    let isForgetting = false;
    client.on('data', (chunk) => server.write(chunk)).on('close', () => server.destroy());
    server.on('data', (chunk: Buffer) => {
      if (!isForgetting) client.write(chunk);
      if (!isReady(chunk)) return;
      isForgetting = !isForgetting;
      if (isForgetting) server.write(FORGET);
      client[isForgetting ? 'pause' : 'resume']();
    });
  });
  return {
    url: `postgres://${username}@127.0.0.1:${await freePortOf(pooler)}${pathname}`,
    stop: () => {
      pooler.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

if (DATABASE_KIND === 'postgres')
  describe('a pooler in front of the database', () => {
    let url: string;
    let pooler: Awaited<ReturnType<typeof startForgettingPooler>>;

    before(async () => {
      url = await (await sharedPostgres()).createDatabase();
      pooler = await startForgettingPooler(url);
    });
    after(() => pooler?.stop());

    it('is a failure when it forgets prepared statements between transactions', async () => {
      const found = await checkPooler(pooler.url);
      expect(found).to.include({ subject: 'database connections', state: 'failure' });
      expect(found.fix).to.contain('max_prepared_statements');
    });

    it('is not found when the client connects to the server directly', async () => {
      expect((await checkPooler(url)).state).to.equal('ok');
    });

    it('is unknown when the server has no connections left', async () => {
      pooler.stop();
      const found = await checkPooler(pooler.url);
      expect(found.state).to.equal('warning');
      expect(found.detail).to.contain('ECONNREFUSED');
    });
  });
