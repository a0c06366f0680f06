// What very many instances take of one database, idle and with users, and how fast an event reaches all of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import { openDatabase, rowsOf, type Database } from '#app/db/database.js';
import { createMetrics } from '#app/metrics.js';
import { appendEvents } from '#app/market/stream/outbox.js';
import { startService, type Service } from '#app/service.js';
import type { PostgresServer } from '#tests/database/postgres.js';
import { startRedis } from '#tests/database/redis.js';
import { testConfig } from '#tests/service/service.js';
import { cpuSeconds } from './process-time.js';
import { flag, whole, type Chosen } from '../driver/options.js';
import { fillMarket, type MarketRows } from '../http/market-rows.js';
import { numberColumns, say, scenario, type Figures } from '../driver/scenario.js';
import type { Stage } from '../driver/stage.js';
import { percentile } from '../driver/statistics.js';
import { readStream } from './socket.js';
import { readAsUsers } from './users.js';

const SECONDS = 20;
const EVENTS_PER_SECOND = 10;
const CONNECTIONS_OF_INSTANCE = 8;
const STARTED_AT_ONCE = 10;
const PROBED_EVERY_MS = 5_000;
const DRAIN_MS = 2_000;
const MOST_LAG_MS = 1_000;
/** Without users. */
const MOST_BUSY = 0.5;
const MOST_READ_P99_MS = 1_000;
const MARKET = { tokens: 2_000, trades: 100_000 };
const MIB = 2 ** 20;

interface Result {
  readonly instances: number;
  readonly hasRedis: boolean;
  /** To the database, of all. */
  readonly connections: number;
  readonly transactionsPerSecond: number;
  /** Of the database, in cores. */
  readonly databaseCores: number;
  readonly events: number;
  /** The fewest events of an instance. */
  readonly fewest: number;
  readonly lagMedianMs: number;
  readonly lagP99Ms: number;
  readonly lagLargestMs: number;
  readonly readyP99Ms: number;
  /** Answers of /ready other than 200. */
  readonly notReady: number;
  readonly readsPerSecond: number;
  readonly readMedianMs: number;
  readonly readP99Ms: number;
  /** Reads without an answer of 200. */
  readonly unread: number;
  /** What the process has grown by with each, code excluded. */
  readonly mibOfInstance: number;
}

const OPTIONS = {
  instances: whole(200, 'instances (200)'),
  reads: whole(0, 'reads of the market a second, divided among all instances (0)', { least: 0 }),
  redis: flag('with Redis, over which one instance reads the events for all'),
};

interface Context {
  readonly services: readonly Service[];
  readonly database: Database;
  readonly market: MarketRows | undefined;
  readonly postgres: PostgresServer;
  /** What the process has grown by with all instances but the first. */
  readonly grownBytes: number;
}

scenario('instances', {
  about: `Starts instances (ROLE=api) on one PostgreSQL, all in one process. A balancer asks each of them for /ready every five seconds, one page
follows each one's stream, and ${EVENTS_PER_SECOND} events a second are written, for ${SECONDS} s. With --reads, users read tokens, trades and the
board of ${MARKET.tokens} tokens with ${MARKET.trades} trades. Measures what that takes of the database, and the time until an event has
reached every instance.`,
  options: OPTIONS,
  fails: `an instance misses an event, has one later than ${MOST_LAG_MS} ms, or is not ready, when a\nread fails or its p99 is over ${MOST_READ_P99_MS} ms, or when the database needs more than ${MOST_BUSY * 100} % of a core without reads`,
  setup,
  load: async ({ grownBytes, ...context }, { instances, redis: hasRedis, reads }): Promise<Result> => {
    const used = await use(context, reads);
    const mibOfInstance = rounded(grownBytes / MIB / Math.max(instances - 1, 1));
    return { instances, hasRedis, mibOfInstance, ...used };
  },
  figures,
  problems: ({ fewest, events, lagLargestMs, notReady, databaseCores, readsPerSecond, ...reads }) => [
    ...(fewest < events ? [`an instance has ${fewest} of ${events} events`] : []),
    ...(lagLargestMs > MOST_LAG_MS ? [`an event came after ${lagLargestMs} ms; ${MOST_LAG_MS} at most`] : []),
    ...(notReady > 0 ? [`/ready failed ${notReady} times`] : []),
    ...(reads.unread > 0 ? [`${reads.unread} reads failed`] : []),
    ...(reads.readP99Ms > MOST_READ_P99_MS
      ? [`reads have a p99 of ${reads.readP99Ms} ms; ${MOST_READ_P99_MS} at most`]
      : []),
    ...(readsPerSecond === 0 && databaseCores > MOST_BUSY
      ? [`the database needs ${databaseCores} cores; ${MOST_BUSY} at most`]
      : []),
  ],
});

async function setup(
  stage: Stage,
  { instances, redis: hasRedis, reads }: Chosen<typeof OPTIONS>,
): Promise<Context> {
  const cluster = await stage.cluster({});
  const postgres = await stage.postgres({ connections: instances * CONNECTIONS_OF_INSTANCE + 50 });
  const redis = hasRedis ? await startRedis() : undefined;
  stage.later(() => redis?.stop());
  const { database, url } = await stage.database(postgres);
  const market = reads === 0 ? undefined : await filled(url);
  const config = testConfig(cluster, {
    DATABASE_URL: url,
    ROLE: 'api',
    PORT: '0',
    STREAMS_PER_ADDRESS: '1000000',
    MARKET_RATE_LIMIT_REQUESTS: '1000000000',
    ...(redis !== undefined && { REDIS_URL: redis.url }),
  });
  const services: Service[] = [];
  stage.later(() => Promise.all(services.map((service) => service.stop())));
  const start = () => startService(config, { overrides: { metrics: createMetrics({ ofProcess: false }) } });
  // The code of the first one is that of all.
  services.push(await start());
  const before = process.memoryUsage().rss;
  while (services.length < instances) {
    const more = Math.min(STARTED_AT_ONCE, instances - services.length);
    services.push(...(await Promise.all(Array.from({ length: more }, start))));
    say(`${services.length} of ${instances} instances`);
  }
  return { services, database, market, postgres, grownBytes: process.memoryUsage().rss - before };
}

/** On connections of its own: one that ends later takes its CPU time with it. */
async function filled(url: string): Promise<MarketRows> {
  const filling = await openDatabase({ kind: 'postgres', url, poolSize: 4 });
  try {
    return await fillMarket(filling, MARKET);
  } finally {
    await filling.close();
  }
}

async function use(
  { services, database, market, postgres }: Omit<Context, 'grownBytes'>,
  readsPerSecond: number,
): Promise<Omit<Result, 'instances' | 'hasRedis' | 'mibOfInstance'>> {
  const mint = Keypair.generate().publicKey.toBase58();
  const [lags, counts, answers]: [number[], number[], number[]] = [[], [], []];
  const path = `/v1/market/stream?topic=token:${mint}`;
  let notReady = 0;
  const sockets = await Promise.all(
    services.map(({ url }, index) =>
      readStream(Number(new URL(url).port), path, (lag) => {
        lags.push(lag);
        counts[index] = (counts[index] ?? 0) + 1;
      }),
    ),
  );
  const probe = async (url: string): Promise<void> => {
    const asked = performance.now();
    // A connection that is refused is an answer too: not ready.
    const isReady = await fetch(`${url}/ready`).then(
      async (response) => (await response.text(), response.status === 200),
      () => false,
    );
    answers.push(performance.now() - asked);
    if (!isReady) notReady += 1;
  };
  const [transactions, busy, startedAt] = [
    await committed(database),
    cpuSeconds(postgres.pid()),
    performance.now(),
  ];
  const probes: Promise<void>[] = [];
  let next = 0;
  const probing = setInterval(
    () => probes.push(probe(services[next++ % services.length]!.url)),
    PROBED_EVERY_MS / services.length,
  );
  const users = market && readAsUsers(services, market, readsPerSecond);
  const events = EVENTS_PER_SECOND * SECONDS;
  for (let sent = 0; sent < events; sent += 1) {
    await sleep(Math.max(0, startedAt + (sent * 1_000) / EVENTS_PER_SECOND - performance.now()));
    await database.transaction((tx) =>
      appendEvents(tx, [{ type: 'trade', mint, data: { mint, id: String(sent), at: Date.now() } }]),
    );
  }
  clearInterval(probing);
  await Promise.all(probes);
  const reads = (await users?.end()) ?? { took: [], unread: 0 };
  const seconds = (performance.now() - startedAt) / 1_000;
  const databaseCores = (cpuSeconds(postgres.pid()) - busy) / seconds;
  const transactionsPerSecond = (Number(await committed(database)) - Number(transactions)) / seconds;
  await sleep(DRAIN_MS);
  const [row] = await rowsOf<{ open: string }>(
    database.queries,
    sql`select count(*)::text as open from pg_stat_activity where backend_type = 'client backend'`,
  );
  for (const socket of sockets) socket.destroy();
  return {
    connections: Number(row?.open ?? 0),
    transactionsPerSecond: Math.round(transactionsPerSecond),
    databaseCores: rounded(databaseCores),
    events,
    fewest: Math.min(...services.map((_, index) => counts[index] ?? 0)),
    lagMedianMs: percentile(lags, 0.5) ?? 0,
    lagP99Ms: percentile(lags, 0.99) ?? 0,
    lagLargestMs: lags.reduce((a, b) => Math.max(a, b), 0),
    readyP99Ms: Math.round(percentile(answers, 0.99) ?? 0),
    notReady,
    readsPerSecond: Math.round(reads.took.length / seconds),
    readMedianMs: Math.round(percentile(reads.took, 0.5) ?? 0),
    readP99Ms: Math.round(percentile(reads.took, 0.99) ?? 0),
    unread: reads.unread,
  };
}

async function committed({ queries }: Database): Promise<string> {
  const [row] = await rowsOf<{ done: string }>(
    queries,
    sql`select (xact_commit + xact_rollback)::text as done from pg_stat_database where datname = current_database()`,
  );
  return row?.done ?? '0';
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function figures({ instances, hasRedis, ...found }: Result): Figures {
  const each = (value: number): string => String(rounded(value / instances));
  return {
    title: `${instances} instances ${hasRedis ? 'with' : 'without'} Redis`,
    columns: numberColumns('what', ['measured'], ['for each']),
    rows: [
      { cells: ['connections to the database', String(found.connections), each(found.connections)] },
      {
        cells: [
          'transactions a second',
          String(found.transactionsPerSecond),
          each(found.transactionsPerSecond),
        ],
      },
      { cells: ['cores of the database', String(found.databaseCores), ''] },
      { cells: ['until an event has reached an instance: median', `${found.lagMedianMs} ms`, ''] },
      { cells: ['p99', `${found.lagP99Ms} ms`, ''] },
      { cells: ['the latest of all', `${found.lagLargestMs} ms`, ''] },
      { cells: ['/ready, p99', `${found.readyP99Ms} ms`, ''] },
      ...(found.readsPerSecond === 0
        ? []
        : [
            { cells: ['reads of users a second', String(found.readsPerSecond), each(found.readsPerSecond)] },
            { cells: ['a read: median, p99', `${found.readMedianMs}, ${found.readP99Ms} ms`, ''] },
          ]),
      { cells: ['memory, in one process', '', `${found.mibOfInstance} MiB`] },
    ],
  };
}
