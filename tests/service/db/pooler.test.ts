// What `curvekit doctor` says of a pooler in front of PostgreSQL.
import { expect } from 'chai';
import { checkPooler } from '#app/operator/doctor/database-checks.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

// A pooler in transaction mode that knows nothing of prepared statements, as PgBouncer before 1.21: between two transactions a
// client has no connection of the server. It speaks enough of PostgreSQL's protocol for clients that need no password.

const SSL_REQUEST = 80_877_103;
const READY = 'Z'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);

interface Server {
  readonly socket: Socket;
  /** What it said until it was ready: also the welcome of later clients. */
  readonly welcome: Buffer;
  /** Where its answers go. */
  client: Socket | undefined;
}

interface TransactionPooler {
  readonly url: string;
  stop(): void;
}

/** @param target URL of a database that lets everybody of this machine in */
async function startTransactionPooler(target: string): Promise<TransactionPooler> {
  const { hostname, port, pathname, username } = new URL(target);
  const sockets = new Set<Socket>();
  const idle: Server[] = [];

  async function open(startup: Buffer): Promise<Server> {
    const socket = track(connect(Number(port), hostname));
    socket.write(startup);
    let welcome = Buffer.alloc(0);
    while (!isReady(welcome)) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      welcome = Buffer.concat([welcome, chunk]);
    }
    const server: Server = { socket, welcome, client: undefined };
    socket.on('data', (chunk: Buffer) => {
      server.client?.write(chunk);
      if (!isReady(chunk)) return;
      server.client = undefined;
      idle.push(server);
    });
    return server;
  }

  function track(socket: Socket): Socket {
    sockets.add(socket.on('error', () => socket.destroy()));
    return socket;
  }

  async function serve(client: Socket): Promise<void> {
    let startup: Buffer | undefined;
    let current: Server | undefined;
    for await (const chunk of client as AsyncIterable<Buffer>) {
      if (startup === undefined) {
        if (chunk.readInt32BE(4) === SSL_REQUEST) {
          client.write('N');
          continue;
        }
        startup = chunk;
        const server = idle.pop() ?? (await open(startup));
        idle.push(server);
        client.write(server.welcome);
      } else if (chunk[0] !== TERMINATE) {
        if (current?.client !== client) current = idle.pop() ?? (await open(startup));
        current.client = client;
        current.socket.write(chunk);
      }
    }
  }

  const pooler = createServer((client) => void serve(track(client)).catch(() => client.destroy()));
  pooler.listen(0, '127.0.0.1');
  await once(pooler, 'listening');
  return {
    url: `postgres://${username}@127.0.0.1:${(pooler.address() as AddressInfo).port}${pathname}`,
    stop: () => {
      pooler.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Whether these messages end with one that says that no transaction is open. */
function isReady(messages: Buffer): boolean {
  return messages.length >= 6 && messages.at(-6) === READY && messages.at(-1) === IDLE;
}

if (DATABASE_KIND === 'postgres') {
  describe('a pooler in front of the database', () => {
    let url: string;
    let pooler: TransactionPooler;

    before(async () => {
      url = await (await sharedPostgres()).createDatabase();
      pooler = await startTransactionPooler(url);
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
}
