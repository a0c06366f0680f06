// Requests per second of the service, compared with a bare Express application with the same middlewares, and with the
// signatures that one thread can verify. The rounds alternate, so that other load on the machine affects all equally.
import { Keypair } from '@solana/web3.js';
import { grouped } from '#app/operator/table.js';
import { issueKey } from '#app/partners/keys.js';
import { fillGrown, walletsOf } from '#tests/database/grown-tables.js';
import { spreadOf } from '../driver/measure.js';
import { numberColumns, say, scenario, whole, type Chosen, type Figures } from '../driver/scenario.js';
import type { Stage } from '../driver/stage.js';
import type { LoadOrder, Round, RoundResult } from './load.js';

const ASKERS = 20_000;
const CONNECTIONS = 50;
const VERIFY_SECONDS = 1;
/** V8 compiles what is used most over the first 40,000 requests. */
const WARM_UP_SECONDS = 12;
/** Prepared requests per round, as a multiple of the signatures that a thread verifies: more than can be answered. */
const SPARE_REQUESTS = 1.6;
/** Rows of the tables that no request of this bench reads. */
const OTHERS = 100;

/** By their names in the table: what the rate is compared with, the least share of it, and the longest p99. */
const LIMITS = {
  '/v1/internal': { of: 'bare Express', least: 0.8, p99: 50 },
  '/rewards': { of: 'verified signatures', least: 0.5, p99: 50 },
  'the board': { of: '/v1/internal', least: 0.8, p99: 30 },
  'candles of popular tokens': { of: '/v1/internal', least: 0.8, p99: 30 },
} as const;
type Name = keyof typeof LIMITS | 'bare Express';

interface Measured extends RoundResult {
  /** The share of what it is compared with, in the same round. */
  readonly share: number;
}
type Result = Readonly<Record<Name, Measured>>;

const OPTIONS = {
  rounds: whole(7, 'rounds of each'),
  seconds: whole(4, 'seconds of a round'),
  rewards: whole(1_000_000, 'rewards in the ledger'),
  tokens: whole(20_000, 'tokens'),
  trades: whole(1_000_000, 'trades; 10000000 take 6 GB of disk'),
};
type Numbers = Chosen<typeof OPTIONS>;

scenario('http', {
  about: `Measures the service on PostgreSQL with ${CONNECTIONS} connections from another process, in alternating rounds:
GET /v1/internal compared with a bare Express application (with the same logger, metrics, helmet and limiter); GET /rewards/:address, each request with its own signature, compared with the ed25519
signatures that one thread verifies when it does nothing else and the keys are already parsed; the board in its five orders
and the candles of ten popular tokens, compared with GET /v1/internal. Limits apply to the medians.`,
  options: OPTIONS,
  fails: 'a share is below its limit, or a p99 above it',
  run,
  figures,
  problems,
});

async function run(stage: Stage, numbers: Numbers): Promise<Result> {
  const { rounds, seconds, rewards, tokens, trades } = numbers;
  const load = await stage.child('http/load.ts');
  const { database, url } = await stage.database();
  const ask = <Answer>(order: LoadOrder) => load.ask<Answer>(order);
  const askers = await ask<string[]>({ kind: 'wallets', count: Math.min(ASKERS, walletsOf(rewards)) });
  say(`filling ${grouped(rewards)} rewards and ${grouped(trades)} trades`);
  const { popular } = await fillGrown(database, { tokens, trades, rewards, askers, others: OTHERS });
  const payoutWallet = Keypair.generate().publicKey.toBase58();
  const { key } = await issueKey({ database, now: Date.now }, { partner: 'Benchmark', payoutWallet });
  const unlimited = { RATE_LIMIT_REQUESTS: '1000000000', MARKET_RATE_LIMIT_REQUESTS: '1000000000' };
  /** @returns its port */
  const start = async (what: string): Promise<number> => {
    const environment = { DATABASE_URL: url, PORT: '0', INDEXER: 'off', ...unlimited };
    const child = await stage.child('http/server.ts', environment, what);
    return Number(new URL(await child.next<string>()).port);
  };
  const [bare, service] = [await start('bare'), await start('service')];

  const verifyRate = () => ask<number>({ kind: 'verify', seconds: VERIFY_SECONDS });
  const round = (port: number, target: Round['target'], roundSeconds = seconds) =>
    ask<RoundResult>({
      kind: 'round',
      round: { port, connections: CONNECTIONS, seconds: roundSeconds, target },
    });
  const version = { name: 'version', apiKey: key } as const;
  const path = '/v1/market/tokens';
  const sorts = ['new', 'marketCap', 'volume24h', 'progress', 'lastTrade'];
  const board = { name: 'paths', paths: sorts.map((sort) => `${path}?sort=${sort}`) } as const;
  const candles = {
    name: 'paths',
    paths: popular.slice(0, 10).map((mint) => `${path}/${mint}/candles?interval=300`),
  } as const;

  say('warming up');
  const rewardsAt = (verified: number) =>
    ({ name: 'rewards', mostPerSecond: verified * SPARE_REQUESTS }) as const;
  await round(bare, version, WARM_UP_SECONDS);
  for (const target of [version, rewardsAt(await verifyRate()), board, candles])
    await round(service, target, WARM_UP_SECONDS);

  const taken: Result[] = [];
  for (let count = 1; count <= rounds; count += 1) {
    const before = await verifyRate();
    const ofRewards = await round(service, rewardsAt(before));
    const verified = (before + (await verifyRate())) / 2;
    // The servers swap their order in every other round.
    const first = count % 2 === 1 ? await round(bare, version) : undefined;
    const own = await round(service, version);
    const ofBare = first ?? (await round(bare, version));
    const share = ({ perSecond }: RoundResult, of: number) => perSecond / of;
    const [ofBoard, ofCandles] = [await round(service, board), await round(service, candles)];
    taken.push({
      'bare Express': { ...ofBare, share: 1 },
      '/v1/internal': { ...own, share: share(own, ofBare.perSecond) },
      '/rewards': { ...ofRewards, share: share(ofRewards, verified) },
      'the board': { ...ofBoard, share: share(ofBoard, own.perSecond) },
      'candles of popular tokens': { ...ofCandles, share: share(ofCandles, own.perSecond) },
    });
    say(`round ${count} of ${rounds}: /v1/internal ${grouped(Math.round(own.perSecond))} /s`);
  }
  const median = (name: Name, of: keyof Measured) => spreadOf(taken.map((one) => one[name][of])).median;
  const summary = (name: Name): Measured => ({
    perSecond: median(name, 'perSecond'),
    p50: median(name, 'p50'),
    p99: median(name, 'p99'),
    share: median(name, 'share'),
  });
  return Object.fromEntries(
    Object.keys(taken[0]!).map((name) => [name, summary(name as Name)]),
  ) as unknown as Result;
}

const limitOf = (name: string) => (name in LIMITS ? LIMITS[name as keyof typeof LIMITS] : undefined);
const percent = (share: number): string => `${Math.round(share * 100)} %`;

function figures(result: Result): Figures {
  return {
    columns: numberColumns('', ['requests', '1/s'], ['share'], ['limit'], ['p50', 'ms'], ['p99', 'ms']),
    rows: Object.entries(result).map(([name, { perSecond, share, p50, p99 }]) => {
      const limit = limitOf(name);
      const shares =
        limit === undefined ? ['', ''] : [`${percent(share)} of ${limit.of}`, percent(limit.least)];
      return [name, grouped(Math.round(perSecond)), ...shares, p50.toFixed(1), p99.toFixed(1)];
    }),
    notes: [`${CONNECTIONS} connections; medians of the rounds`],
  };
}

function problems(result: Result): string[] {
  return Object.entries(result).flatMap(([name, { share, p99 }]) => {
    const limit = limitOf(name);
    if (limit === undefined) return [];
    const low = `${name}: ${percent(share)} of ${limit.of}, below ${percent(limit.least)}`;
    const late = `${name}: p99 is ${p99.toFixed(1)} ms, over ${limit.p99} ms`;
    return [...(share < limit.least ? [low] : []), ...(p99 > limit.p99 ? [late] : [])];
  });
}
