// The delay of the stream's events when many pages are connected.
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { openDatabase } from '#app/db/database.js';
import { renderTable } from '#app/cli/table.js';
import { appendEvents } from '#app/market/stream/outbox.js';
import { startPostgres } from '#tests/database/postgres.js';
import { startStreamServer } from '#tests/service/stream-server.js';
import { startChild } from './child.js';
import { describeMachine, observeMachine, postgresVersion, type Machine } from './machine.js';
import { runBench } from './run-bench.js';
import type { ReadersReport, ReadersTask } from './stream-readers.js';

const SECONDS = 20;
const MOST_LAG_MS = 1_000;
const DRAIN_MS = 2_000;

const HELP = `npm run bench -- stream [--readers N] [--rate N] [--json] [--check]

Connects readers of one token to one instance on PostgreSQL, with events for ${SECONDS} s, and measures the time from before the
transaction that writes an event until a reader has it. Readers and service share the machine.

  --readers N  connections (2,000); both processes need a file descriptor for each: \`ulimit -n\`
  --rate N     events a second (50)
  --json       one JSON document
  --check      exit code 1 when a reader misses an event, or one is later than ${MOST_LAG_MS} ms`;

interface Numbers {
  readonly readers: number;
  readonly rate: number;
}

interface Result extends ReadersReport, Numbers {
  readonly machine: Machine;
  readonly events: number;
  /** What the service's process has grown by with them, garbage included. */
  readonly bytesPerReader: number;
}

runBench({
  help: HELP,
  numbers: { readers: 2_000, rate: 50 },
  measure,
  table: tableOf,
  problems: ({ fewest, events, largestMs }) => [
    ...(fewest < events ? [`a reader has ${fewest} of ${events} events`] : []),
    ...(largestMs > MOST_LAG_MS ? [`an event came after ${largestMs} ms; ${MOST_LAG_MS} at most`] : []),
  ],
});

async function measure({ readers: count, rate }: Numbers): Promise<Result> {
  const conditions = observeMachine();
  const postgres = await startPostgres();
  const database = await openDatabase({
    kind: 'postgres',
    url: await postgres.createDatabase(),
    poolSize: 10,
  });
  await database.migrate();
  const server = await startStreamServer(database, { STREAMS: '100000', STREAMS_PER_ADDRESS: '1000000' });
  const readers = await startChild('stream-readers.ts');
  const mint = Keypair.generate().publicKey.toBase58();
  try {
    const task: ReadersTask = {
      port: Number(new URL(server.url).port),
      path: `/v1/market/stream?topic=token:${mint}`,
      readers: count,
    };
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
    const machine = conditions(await postgresVersion(database.queries));
    return { machine, readers: count, rate, events, bytesPerReader, ...report };
  } finally {
    readers.stop();
    await server.stop();
    await database.close();
    await postgres.stop();
  }
}

function tableOf({ machine, readers, rate, events, bytesPerReader, ...report }: Result): string {
  const table = renderTable(
    [{ title: 'what' }, { title: 'measured', align: 'right' }, { title: 'limit', align: 'right' }],
    [
      { cells: ['events that each reader has', `${report.fewest} to ${report.most}`, `all ${events}`] },
      { cells: ['until a reader has one: median', `${report.medianMs} ms`, ''] },
      { cells: ['p99', `${report.p99Ms} ms`, ''] },
      { cells: ['the latest of all', `${report.largestMs} ms`, `${MOST_LAG_MS} ms`] },
      { cells: ['memory of the service for a reader', `${Math.round(bytesPerReader / 1_024)} KiB`, ''] },
    ],
  );
  return `${readers} readers, ${rate} events a second\n\n${table}\n\n${describeMachine(machine)}`;
}
