// The delay of the stream's events when many pages are connected.
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import type { Database } from '#app/db/database.js';
import { appendEvents } from '#app/market/stream/outbox.js';
import { startStreamServer } from '#tests/service/stream-server.js';
import type { Child } from '../driver/child.js';
import { whole } from '../driver/options.js';
import { numberColumns, scenario, type Figures } from '../driver/scenario.js';
import type { Stage } from '../driver/stage.js';
import type { ReadersReport, ReadersTask } from './readers.js';

const SECONDS = 20;
const MOST_LAG_MS = 1_000;
const DRAIN_MS = 2_000;

interface Numbers {
  readonly readers: number;
  readonly rate: number;
}

interface Context {
  readonly database: Database;
  readonly port: number;
  readonly readers: Child;
}

interface Result extends ReadersReport, Numbers {
  readonly events: number;
  /** What the service's process has grown by with them, garbage included. */
  readonly bytesPerReader: number;
}

scenario('stream', {
  about: `Connects readers of one token to one instance on PostgreSQL, with events for ${SECONDS} s, and measures the time from before the
transaction that writes an event until a reader has it. Readers and service share the machine.`,
  options: {
    readers: whole(2_000, 'connections (2,000); both processes need a file descriptor for each: `ulimit -n`'),
    rate: whole(50, 'events a second (50)'),
  },
  fails: `a reader misses an event, or one is later than ${MOST_LAG_MS} ms`,
  setup,
  load: send,
  figures,
  problems: ({ fewest, events, largestMs }) => [
    ...(fewest < events ? [`a reader has ${fewest} of ${events} events`] : []),
    ...(largestMs > MOST_LAG_MS ? [`an event came after ${largestMs} ms; ${MOST_LAG_MS} at most`] : []),
  ],
});

async function setup(stage: Stage): Promise<Context> {
  const { database } = await stage.database(await stage.postgres(), 10);
  const server = await startStreamServer(database, { STREAMS: '100000', STREAMS_PER_ADDRESS: '1000000' });
  stage.later(() => server.stop());
  return {
    database,
    port: Number(new URL(server.url).port),
    readers: await stage.child('stream/readers.ts'),
  };
}

async function send(
  { database, port, readers }: Context,
  { readers: count, rate }: Numbers,
): Promise<Result> {
  const mint = Keypair.generate().publicKey.toBase58();
  const task: ReadersTask = { port, path: `/v1/market/stream?topic=token:${mint}`, readers: count };
  const before = process.memoryUsage().rss;
  await readers.ask(task);
  const events = rate * SECONDS;
  const startedAt = performance.now();
  for (let sent = 0; sent < events; sent += 1) {
    await sleep(Math.max(0, startedAt + (sent * 1_000) / rate - performance.now()));
    // About the size of a trade.
    const data = { mint, id: String(sent), at: Date.now(), padding: 'x'.repeat(400) };
    await database.transaction((tx) => appendEvents(tx, [{ type: 'trade', mint, data }]));
  }
  await sleep(DRAIN_MS);
  const bytesPerReader = Math.round((process.memoryUsage().rss - before) / count);
  const report = await readers.ask<ReadersReport>('report');
  return { readers: count, rate, events, bytesPerReader, ...report };
}

function figures({ readers, rate, events, bytesPerReader, ...report }: Result): Figures {
  return {
    title: `${readers} readers, ${rate} events a second`,
    columns: numberColumns('what', ['measured'], ['limit']),
    rows: [
      { cells: ['events that each reader has', `${report.fewest} to ${report.most}`, `all ${events}`] },
      { cells: ['until a reader has one: median', `${report.medianMs} ms`, ''] },
      { cells: ['p99', `${report.p99Ms} ms`, ''] },
      { cells: ['the latest of all', `${report.largestMs} ms`, `${MOST_LAG_MS} ms`] },
      { cells: ['memory of the service for a reader', `${Math.round(bytesPerReader / 1_024)} KiB`, ''] },
    ],
  };
}
