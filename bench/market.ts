// Requests per second of the Market API compared with /v1/internal, with a year of tokens and trades in PostgreSQL.
import { Keypair } from '@solana/web3.js';
import { openDatabase } from '#app/db/database.js';
import { issueKey } from '#app/partner/keys.js';
import { grouped, renderTable } from '#app/cli/table.js';
import { startPostgres } from '#tests/database/postgres.js';
import { startChild } from './child.js';
import type { Round, RoundResult } from './http-load.js';
import type { ServerState } from './http-server.js';
import { describeMachine, observeMachine, postgresVersion, type Machine } from './machine.js';
import { fillMarket, type MarketRows } from './market-rows.js';
import { spreadOf } from './statistics.js';
import { runBench, say } from './run-bench.js';

const TOKENS = 100_000;
const TRADES = 10_000_000;
const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 50;
const LEAST_OF_VERSION = 0.8;
const MOST_P99_MS = 30;
const WARM_UP_SECONDS = 4;
const ANY_TOKENS = 2_000;

const HELP = `npm run bench -- market [OPTIONS]

Measures the Market API with ${CONNECTIONS} connections from another process, in rounds that alternate with GET /v1/internal: the
board in its five orders, the candles of ten popular tokens, and pages and candles of ${grouped(ANY_TOKENS)} tokens in turn, whose
answers are not cached. Limits apply to the medians of the first two.

  --tokens N   (${grouped(TOKENS)})
  --trades N   (${grouped(TRADES)})
  --rounds N   rounds of each (${ROUNDS})
  --seconds N  seconds of a round (${SECONDS})
  --json       one JSON document
  --check      exit code 1 when the board or the candles have less than ${LEAST_OF_VERSION * 100} % of the rate of /v1/internal, or a p99
               over ${MOST_P99_MS} ms`;

interface Measured {
  readonly name: string;
  readonly perSecond: number;
  /** Relative to the rate of /v1/internal in the same round. */
  readonly ofVersion: number;
  readonly p50: number;
  readonly p99: number;
  /** Whether the limits apply to it. */
  readonly limited: boolean;
}

interface Result {
  readonly machine: Machine;
  readonly tokens: number;
  readonly trades: number;
  readonly measured: readonly Measured[];
}

runBench({
  help: HELP,
  numbers: { tokens: TOKENS, trades: TRADES, rounds: ROUNDS, seconds: SECONDS },
  measure,
  table: tableOf,
  problems: ({ measured }) =>
    measured
      .filter(({ limited, ofVersion, p99 }) => limited && (ofVersion < LEAST_OF_VERSION || p99 > MOST_P99_MS))
      .map(({ name }) => `${name}: outside its limits`),
});

async function measure({
  tokens,
  trades,
  rounds,
  seconds,
}: Record<'tokens' | 'trades' | 'rounds' | 'seconds', number>): Promise<Result> {
  const conditions = observeMachine();
  const postgres = await startPostgres();
  const load = await startChild('http-load.ts');
  try {
    const url = await postgres.createDatabase();
    const database = await openDatabase({ kind: 'postgres', url, poolSize: 4 });
    await database.migrate();
    say(`filling the market with ${grouped(tokens)} tokens and ${grouped(trades)} trades`);
    const rows = await fillMarket(database, { tokens, trades });
    const payoutWallet = Keypair.generate().publicKey.toBase58();
    const { key: apiKey } = await issueKey(
      { database, now: Date.now },
      { partner: 'Benchmark', payoutWallet },
    );
    const limits = { RATE_LIMIT_REQUESTS: '1000000000', MARKET_RATE_LIMIT_REQUESTS: '1000000000' };
    const environment = { DATABASE_URL: url, PORT: '0', INDEXER: 'off', ...limits };
    const server = await startChild('http-server.ts', { args: ['service'], environment });
    try {
      const port = Number(new URL((await server.next<ServerState>()).url).port);
      const run = (target: Round['target'], roundSeconds = seconds) =>
        load.ask<RoundResult>({
          kind: 'round',
          round: { port, connections: CONNECTIONS, seconds: roundSeconds, target },
        });
      const version = { name: 'version', apiKey } as const;
      await run(version, WARM_UP_SECONDS);
      const measured: Measured[] = [];
      for (const { name, paths, limited } of targets(rows)) {
        await run({ name: 'paths', paths }, WARM_UP_SECONDS);
        const taken: (RoundResult & { ofVersion: number })[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const ofVersion = await run(version);
          const found = await run({ name: 'paths', paths });
          taken.push({ ...found, ofVersion: found.perSecond / ofVersion.perSecond });
        }
        const median = (of: (one: (typeof taken)[number]) => number) => spreadOf(taken.map(of)).median;
        measured.push({
          name,
          limited,
          perSecond: median((one) => one.perSecond),
          ofVersion: median((one) => one.ofVersion),
          p50: median((one) => one.p50),
          p99: median((one) => one.p99),
        });
        say(`${name}: ${grouped(Math.round(measured.at(-1)!.perSecond))} per second`);
      }
      return { machine: conditions(await postgresVersion(database.queries)), tokens, trades, measured };
    } finally {
      server.stop();
      await database.close();
    }
  } finally {
    load.stop();
    await postgres.stop();
  }
}

function targets({ mints, popular }: MarketRows) {
  const every = Math.max(1, Math.floor(mints.length / ANY_TOKENS));
  const any = mints.filter((_, index) => index % every === 0);
  const sorts = ['new', 'marketCap', 'volume24h', 'progress', 'lastTrade'];
  const path = '/v1/market/tokens';
  return [
    { name: 'the board', limited: true, paths: sorts.map((sort) => `${path}?sort=${sort}`) },
    {
      name: 'candles of popular tokens',
      limited: true,
      paths: popular.slice(0, 10).map((mint) => `${path}/${mint}/candles?interval=300`),
    },
    { name: 'any token', limited: false, paths: any.map((mint) => `${path}/${mint}`) },
    { name: 'its trades', limited: false, paths: any.map((mint) => `${path}/${mint}/trades`) },
    {
      name: 'its candles',
      limited: false,
      paths: any.map((mint) => `${path}/${mint}/candles?interval=3600`),
    },
    {
      name: 'days of popular tokens',
      limited: false,
      paths: popular.slice(0, 500).map((mint) => `${path}/${mint}/candles?interval=86400`),
    },
  ];
}

function tableOf({ machine, tokens, trades, measured }: Result): string {
  const rows = measured.map(({ name, perSecond, ofVersion, p50, p99 }) => ({
    cells: [
      name,
      grouped(Math.round(perSecond)),
      `${Math.round(ofVersion * 100)} %`,
      p50.toFixed(1),
      p99.toFixed(1),
    ],
  }));
  const table = renderTable(
    [
      { title: `${grouped(tokens)} tokens, ${grouped(trades)} trades` },
      { title: 'requests', unit: '1/s', align: 'right' },
      { title: 'of /v1/internal', align: 'right' },
      { title: 'p50', unit: 'ms', align: 'right' },
      { title: 'p99', unit: 'ms', align: 'right' },
    ],
    rows,
  );
  return `${table}\n\n${describeMachine(machine)}`;
}
