// PostgreSQL's notifications, on a connection of their own that comes back when it breaks.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const RETRY_MS = 1_000;

/** @param onNotified also called after each connection, since something may have been missed before @returns ends it */
export function listenOn(
  options: pg.ClientConfig,
  channel: string,
  onNotified: () => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let client: pg.Client | undefined;

  async function listenOnce(): Promise<void> {
    client = new pg.Client(options);
    const ended = new Promise<void>((resolve) => {
      client!.on('error', () => resolve());
      client!.on('end', () => resolve());
    });
    client.on('notification', onNotified);
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      if (signal.aborted) return;
      onNotified();
      await ended;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      // While the database is away, those who use it say so.
      await listenOnce().catch(() => undefined);
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = run();
  return async () => {
    stopping.abort();
    await client?.end().catch(() => undefined);
    await running;
  };
}
