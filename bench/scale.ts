// Checks that requests of wallets, operators and partners take the same time for a small and a large ledger.
import { Keypair } from '@solana/web3.js';
import { openDatabase, type Database } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { issueKey } from '#app/partner/keys.js';
import { ClaimsRepository } from '#app/claims/repository.js';
import { grouped, renderTable } from '#app/cli/table.js';
import { startPostgres } from '#tests/database/postgres.js';
import { startChild, type Child } from './child.js';
import type { SignedHeaders } from './http-load.js';
import type { ServerState } from './http-server.js';
import { describeMachine, observeMachine, postgresVersion, type Machine } from './machine.js';
import { fillRewards, walletsOf } from './reward-rows.js';
import { spreadOf } from './statistics.js';
import { runBench, say } from './run-bench.js';

/** The mint for queries of what the treasury owes in SOL. */
const NO_MINT = '';
/** How much longer the largest ledger may take than the smallest. Differences below `NOISE_MS` are ignored. */
const MOST_GROWTH = 2;
const NOISE_MS = 5;
const ROWS = 1_000_000;
const ASKERS = 1_000;
const TIMES = 50;

const HELP = `npm run bench -- scale [OPTIONS]

Measures GET /rewards/:address, the ledger's check behind /ready, what the treasury owes, GET /v1/internal and its stats on
PostgreSQL, with 10,000 accounts in the ledger and with more: medians of ${TIMES}, one after the other.

  --rows N   accounts of the largest ledger (${ROWS}); 10000000 takes some minutes and 6 GB of disk
  --json     one JSON document
  --check    exit code 1 when anything takes over ${MOST_GROWTH} times as long (and ${NOISE_MS} ms longer) as with 10,000`;

/** Milliseconds by request. */
type Timings = Readonly<Record<string, number>>;

interface Result {
  readonly machine: Machine;
  readonly sizes: readonly { readonly accounts: number; readonly medians: Timings }[];
}

runBench({
  help: HELP,
  numbers: { rows: ROWS },
  measure: ({ rows }) => measure([...new Set([10_000, Math.min(ROWS, rows), rows])]),
  table: tableOf,
  problems: problemsOf,
});

async function measure(sizes: readonly number[]): Promise<Result> {
  const conditions = observeMachine();
  const load = await startChild('http-load.ts');
  const postgres = await startPostgres();
  try {
    const measured: Result['sizes'][number][] = [];
    let version = '';
    for (const rows of sizes) {
      say(`${grouped(rows)} accounts`);
      const url = await postgres.createDatabase();
      const database = await openDatabase({ kind: 'postgres', url, poolSize: 4 });
      try {
        await database.migrate();
        version = await postgresVersion(database.queries);
        measured.push(await measureSize(database, url, load, rows));
      } finally {
        await database.close();
      }
    }
    return { machine: conditions(version), sizes: measured };
  } finally {
    load.stop();
    await postgres.stop();
  }
}

async function measureSize(database: Database, url: string, load: Child, rows: number) {
  const askers = await load.ask<string[]>({ kind: 'wallets', count: ASKERS });
  const { rows: accounts } = await fillRewards(database, {
    rows,
    askers: askers.slice(0, Math.min(ASKERS, walletsOf(rows))),
  });
  const payoutWallet = Keypair.generate().publicKey.toBase58();
  const { key } = await issueKey({ database, now: Date.now }, { partner: 'Benchmark', payoutWallet });
  const environment = { DATABASE_URL: url, PORT: '0', INDEXER: 'off', RATE_LIMIT_REQUESTS: '1000000000' };
  const server = await startChild('http-server.ts', { args: ['service'], environment });
  try {
    const { url: service } = await server.next<ServerState>();
    const signed = await load.ask<SignedHeaders[]>({ kind: 'requests', count: TIMES * 2 });
    let next = 0;
    const get = async (path: string, headers: Record<string, string>) => {
      const response = await fetch(service + path, { headers });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path} is answered with ${response.status}`);
    };
    const claims = new ClaimsRepository(database);
    const asked: Readonly<Record<string, () => Promise<unknown>>> = {
      'GET /rewards/:address': () => {
        const { address, headers } = signed[next++ % signed.length]!;
        return get(`/rewards/${address}`, headers);
      },
      // The same check as in `/ready`, where the service caches its result for a minute.
      'the check behind /ready': () => checkLedger(database.queries, { whole: false }),
      'what the treasury owes': () => claims.duties(NO_MINT),
      'GET /v1/internal': () => get('/v1/internal', { 'x-api-key': key }),
      'GET /v1/internal/stats': () => get('/v1/internal/stats', { 'x-api-key': key }),
    };
    const medians: Record<string, number> = {};
    for (const [what, ask] of Object.entries(asked)) medians[what] = await medianOf(ask);
    return { accounts, medians };
  } finally {
    server.stop();
  }
}

/** Median in milliseconds. Slow requests are repeated less often. */
async function medianOf(ask: () => Promise<unknown>): Promise<number> {
  const longestMs = 10_000;
  await ask();
  const taken: number[] = [];
  const begun = performance.now();
  for (let time = 0; time < TIMES && (time === 0 || performance.now() - begun < longestMs); time += 1) {
    const startedAt = performance.now();
    await ask();
    taken.push(performance.now() - startedAt);
  }
  return spreadOf(taken).median;
}

function tableOf({ sizes, machine }: Result): string {
  const names = Object.keys(sizes[0]!.medians);
  return [
    renderTable(
      [
        { title: '' },
        ...sizes.map(({ accounts }) => ({ title: grouped(accounts), unit: 'ms', align: 'right' as const })),
      ],
      names.map((name) => ({ cells: [name, ...sizes.map(({ medians }) => medians[name]!.toFixed(1))] })),
    ),
    '',
    describeMachine(machine),
  ].join('\n');
}

function problemsOf({ sizes }: Result): string[] {
  const [first, last] = [sizes[0]!, sizes.at(-1)!];
  return Object.entries(first.medians).flatMap(([what, before]) => {
    const now = last.medians[what]!;
    if (now <= before * MOST_GROWTH || now - before <= NOISE_MS) return [];
    return [
      `${what}: ${now.toFixed(1)} ms with ${grouped(last.accounts)} accounts, ${before.toFixed(1)} ms with ${grouped(first.accounts)}`,
    ];
  });
}
