// Listens for PostgreSQL notifications on a separate connection, and reconnects when it breaks.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const RETRY_MS = 1_000;

/** @param onNotified also called after each reconnect, because notifications may have been missed @returns stops listening */
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
      // Not logged: the code that uses the database logs the outage.
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
