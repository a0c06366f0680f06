// `npm run bench`: runs the benchmarks one after the other, each in its own process.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BENCHES = {
  cu: {
    file: 'program/compute-units.ts',
    about: 'compute units and bytes of every instruction, on a local cluster',
  },
  graduation: {
    file: 'program/graduation.ts',
    about: 'compute units, bytes, cost and price of a graduation',
  },
  sdk: { file: 'sdk/sdk.ts', about: 'quotes and decoded log records per second' },
  feed: {
    file: 'sdk/feed.ts',
    about: "time from the node's notification of a trade until the feed delivers its record",
  },
  bundle: { file: 'sdk/bundle.ts', about: "sizes of the SDK's entries, bundled for a browser" },
  settlement: {
    file: 'settlement/settlement.ts',
    about: 'settlement of a token with 100,000 holders into PostgreSQL',
  },
  indexer: { file: 'indexer/indexer.ts', about: 'backfill of 300,000 records into PostgreSQL' },
  live: { file: 'indexer/live.ts', about: 'indexing 2,000 confirmed trades a second into PostgreSQL' },
  http: {
    file: 'http/http.ts',
    about: 'requests per second of the service, compared with bare Express and bare signature checks',
  },
  market: {
    file: 'http/market.ts',
    about: 'the board and candles with 100,000 tokens and 10,000,000 trades in PostgreSQL',
  },
  claims: {
    file: 'claims/claims.ts',
    about: 'claims on two instances with 100,000 open claims, with reads at the same time',
  },
  scale: {
    file: 'http/scale.ts',
    about: 'reads, checks and totals with 10,000 and with 1,000,000 accounts in the ledger',
  },
  queries: {
    file: 'queries/queries.ts',
    about: 'the plan of every query, with 1,000,000 trades and 200,000 rewards in PostgreSQL',
  },
  stream: { file: 'stream/stream.ts', about: 'time until 2,000 readers have an event of the market' },
  instances: {
    file: 'stream/instances.ts',
    about: 'what 200 instances take of one database, and time until all of them have an event',
  },
  page: {
    file: 'page/page.ts',
    about: 'the page on a slow phone, and with 100 trades a second on one token',
  },
  lighthouse: { file: 'page/lighthouse.ts', about: 'Lighthouse scores of the page on a slow phone' },
  start: {
    file: 'page/start.ts',
    about: 'time of `npm start` until ready, and of a trade until the API shows its reward',
  },
} as const;

type BenchName = keyof typeof BENCHES;

const NAMES = Object.keys(BENCHES) as BenchName[];

const HELP = `npm run bench [-- NAME...] [OPTIONS]

Runs every benchmark, or those named:

${NAMES.map((name) => `  ${name.padEnd(10)} ${BENCHES[name].about}`).join('\n')}

  --json   one JSON document: what each benchmark found, under its name
  --check  exit code 1 when a figure is outside its limit
  --help   print this

A single benchmark takes options of its own: npm run bench -- cu --help`;

function main(args: readonly string[]): number {
  const firstOption = args.findIndex((arg) => arg.startsWith('-'));
  const named = firstOption === -1 ? args : args.slice(0, firstOption);
  const options = firstOption === -1 ? [] : args.slice(firstOption);
  if (named.length === 0 && options.includes('--help')) {
    console.log(HELP);
    return 0;
  }
  const problem = problemOf(named, options);
  if (problem !== undefined) {
    console.error(`${problem}\n\n${HELP}`);
    return 2;
  }
  const names = named.length === 0 ? NAMES : (named as BenchName[]);
  // A benchmark exits with 1 when a figure is outside its limit. The others still run.
  return options.includes('--json') && names.length > 1 ? runForJson(names, options) : run(names, options);
}

function problemOf(named: readonly string[], options: readonly string[]): string | undefined {
  const unknown = named.find((name) => !(name in BENCHES));
  if (unknown !== undefined) return `there is no benchmark '${unknown}'; they are ${NAMES.join(', ')}`;
  const own = options.find((option) => !['--json', '--check'].includes(option));
  return own === undefined || named.length === 1
    ? undefined
    : `'${own}' is for a single benchmark: name it first`;
}

function run(names: readonly BenchName[], options: readonly string[]): number {
  let worst = 0;
  for (const name of names) {
    const { status } = spawnSync(process.execPath, commandOf(name, options), { stdio: 'inherit' });
    worst = Math.max(worst, status ?? 1);
    if (name !== names.at(-1)) console.log();
  }
  return worst;
}

function runForJson(names: readonly BenchName[], options: readonly string[]): number {
  let worst = 0;
  const found: Record<string, unknown> = {};
  for (const name of names) {
    const { status, stdout } = spawnSync(process.execPath, commandOf(name, options), {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    worst = Math.max(worst, status ?? 1);
    found[name] = stdout === '' ? null : JSON.parse(stdout);
  }
  console.log(JSON.stringify(found, null, 2));
  return worst;
}

function commandOf(name: BenchName, options: readonly string[]): string[] {
  const folder = dirname(fileURLToPath(import.meta.url));
  return ['--import=tsx', join(folder, BENCHES[name].file), ...options];
}

process.exitCode = main(process.argv.slice(2));
