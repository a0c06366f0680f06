// A Redis server for this test run, on a free port, without persistence.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findFreePorts } from '#testing/ports.js';
import { killed } from '#tests/process/killed.js';

export interface RedisServer {
  readonly url: string;
  /** Connections stay open, and nothing is answered; false ends that. */
  freeze(frozen: boolean): void;
  /** Safe to call twice. */
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 10_000;

/** Starts a server, at a given port or any free one. @throws when Redis is not installed, with how to install it */
export async function startRedis(port?: number): Promise<RedisServer> {
  const chosen = port ?? (await findFreePorts(1));
  const settings = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn('redis-server', settings, { stdio: 'ignore' });
  const failed = new Promise<never>((_resolve, reject) => {
    server.once('error', () => reject(new Error('Redis is not installed: `apt-get install redis-server`')));
  });
  const killServer = () => server.kill('SIGKILL');
  process.once('exit', killServer);
  const url = `redis://127.0.0.1:${chosen}`;
  await Promise.race([failed, untilReady(url)]);
  return {
    url,
    freeze: (frozen) => void server.kill(frozen ? 'SIGSTOP' : 'SIGCONT'),
    stop: async () => {
      process.off('exit', killServer);
      await killed(server, 'SIGKILL');
    },
  };
}

async function untilReady(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => 50, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  try {
    const late = sleep(READY_TIMEOUT_MS).then(() => {
      throw new Error(`Redis was not ready in ${READY_TIMEOUT_MS} ms`);
    });
    await Promise.race([client.ping(), late]);
  } finally {
    client.disconnect();
  }
}
