// Requests per second of the Market API compared with /v1/internal, with a year of tokens and trades in PostgreSQL.
import { grouped } from '#app/cli/table.js';
import type { Round, RoundResult } from './load.js';
import { fillMarket, type MarketRows } from './market-rows.js';
import type { Child } from '../driver/child.js';
import { whole } from '../driver/options.js';
import { numberColumns, say, scenario, type Figures } from '../driver/scenario.js';
import { partnerKey, type Stage } from '../driver/stage.js';
import { spreadOf } from '../driver/statistics.js';

const TOKENS = 100_000;
const TRADES = 10_000_000;
const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 50;
const LEAST_OF_VERSION = 0.8;
const MOST_P99_MS = 30;
const WARM_UP_SECONDS = 4;
const ANY_TOKENS = 2_000;

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
  readonly tokens: number;
  readonly trades: number;
  readonly measured: readonly Measured[];
}

type Numbers = Readonly<Record<'tokens' | 'trades' | 'rounds' | 'seconds', number>>;

interface Context {
  readonly load: Child;
  readonly port: number;
  readonly apiKey: string;
  readonly rows: MarketRows;
}

scenario('market', {
  about: `Measures the Market API with ${CONNECTIONS} connections from another process, in rounds that alternate with GET /v1/internal: the
board in its five orders, the candles of ten popular tokens, and pages and candles of ${grouped(ANY_TOKENS)} tokens in turn, whose
answers are not cached. Limits apply to the medians of the first two.`,
  options: {
    tokens: whole(TOKENS, `(${grouped(TOKENS)})`),
    trades: whole(TRADES, `(${grouped(TRADES)})`),
    rounds: whole(ROUNDS, `rounds of each (${ROUNDS})`),
    seconds: whole(SECONDS, `seconds of a round (${SECONDS})`),
  },
  fails: `the board or the candles have less than ${LEAST_OF_VERSION * 100} % of the rate of /v1/internal, or a p99\nover ${MOST_P99_MS} ms`,
  setup,
  load: measure,
  figures,
  problems: ({ measured }) =>
    measured
      .filter(({ limited, ofVersion, p99 }) => limited && (ofVersion < LEAST_OF_VERSION || p99 > MOST_P99_MS))
      .map(({ name }) => `${name}: outside its limits`),
});

async function setup(stage: Stage, { tokens, trades }: Numbers): Promise<Context> {
  const { database, url } = await stage.database(await stage.postgres());
  const load = await stage.child('http/load.ts');
  say(`filling the market with ${grouped(tokens)} tokens and ${grouped(trades)} trades`);
  const rows = await fillMarket(database, { tokens, trades });
  const apiKey = await partnerKey(database);
  const { port } = await stage.server({ DATABASE_URL: url, MARKET_RATE_LIMIT_REQUESTS: '1000000000' });
  return { load, port, apiKey, rows };
}

async function measure(
  { load, port, apiKey, rows }: Context,
  { tokens, trades, rounds, seconds }: Numbers,
): Promise<Result> {
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
  return { tokens, trades, measured };
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

function figures({ tokens, trades, measured }: Result): Figures {
  const rows = measured.map(({ name, perSecond, ofVersion, p50, p99 }) => ({
    cells: [
      name,
      grouped(Math.round(perSecond)),
      `${Math.round(ofVersion * 100)} %`,
      p50.toFixed(1),
      p99.toFixed(1),
    ],
  }));
  const columns = numberColumns(
    `${grouped(tokens)} tokens, ${grouped(trades)} trades`,
    ...[
      ['requests', '1/s'] as const,
      ['of /v1/internal'] as const,
      ['p50', 'ms'] as const,
      ['p99', 'ms'] as const,
    ],
  );
  return { columns, rows };
}
