// Listens for PostgreSQL notifications on a separate connection, and reconnects when it breaks.
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const RETRY_MS = 1_000;
/** How long the server may take to close the connection. */
const GOODBYE_MS = 500;

/**
 * @param onNotified also called after each reconnect, because notifications may have been missed
 * @param retryMs pause before each reconnect
 * @returns stops listening
 */
export function listenOn(
  options: pg.ClientConfig,
  channel: string,
  onNotified: () => void,
  retryMs = RETRY_MS,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function listenOnce(): Promise<void> {
    const socket = new Socket();
    const client = new pg.Client({ ...options, stream: () => socket });
    // Takes the listeners off the signal, which outlives this connection.
    const over = new AbortController();
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
      signal.addEventListener('abort', () => resolve(), { signal: over.signal });
    });
    client.on('notification', onNotified);
    // A client that is ended while it connects never settles `connect()`. Without its socket it does.
    const cut = () => socket.destroy();
    signal.addEventListener('abort', cut, { signal: over.signal });
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      signal.removeEventListener('abort', cut);
      onNotified();
      await ended;
    } finally {
      over.abort();
      await Promise.race([client.end().catch(() => undefined), sleep(GOODBYE_MS)]);
      socket.destroy();
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // Not logged: the code that uses the database logs the outage.
      await listenOnce().catch(() => undefined);
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return async () => {
    stopping.abort();
    await running;
  };
}
