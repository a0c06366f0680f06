// Checks that requests of wallets, operators and partners take the same time for a small and a large ledger.
import { checkLedger } from '#app/ledger/check.js';
import { ClaimsRepository } from '#app/claims/repository.js';
import { grouped } from '#app/cli/table.js';
import type { PostgresServer } from '#tests/database/postgres.js';
import type { SignedHeaders } from './load.js';
import { fillRewards, walletsOf } from './reward-rows.js';
import type { Child } from '../driver/child.js';
import { whole } from '../driver/options.js';
import { numberColumns, say, scenario, type Figures } from '../driver/scenario.js';
import { partnerKey, type Stage } from '../driver/stage.js';
import { spreadOf } from '../driver/statistics.js';

/** The mint for queries of what the treasury owes in SOL. */
const NO_MINT = '';
/** How much longer the largest ledger may take than the smallest. Differences below `NOISE_MS` are ignored. */
const MOST_GROWTH = 2;
const NOISE_MS = 5;
const ROWS = 1_000_000;
const ASKERS = 1_000;
const TIMES = 50;

/** Milliseconds by request. */
type Timings = Readonly<Record<string, number>>;

interface Context {
  readonly load: Child;
  readonly postgres: PostgresServer;
}

interface Result {
  readonly sizes: readonly { readonly accounts: number; readonly medians: Timings }[];
}

scenario('scale', {
  about: `Measures GET /rewards/:address, the ledger's check behind /ready, what the treasury owes, GET /v1/internal and its stats on
PostgreSQL, with 10,000 accounts in the ledger and with more: medians of ${TIMES}, one after the other.`,
  options: {
    rows: whole(
      ROWS,
      `accounts of the largest ledger (${ROWS}); 10000000 takes some minutes and 6 GB of disk`,
    ),
  },
  fails: `anything takes over ${MOST_GROWTH} times as long (and ${NOISE_MS} ms longer) as with 10,000`,
  setup: async (stage): Promise<Context> => ({
    load: await stage.child('http/load.ts'),
    postgres: await stage.postgres(),
  }),
  load: async (context, { rows }, stage): Promise<Result> => {
    const sizes: Result['sizes'][number][] = [];
    for (const size of new Set([10_000, Math.min(ROWS, rows), rows])) {
      say(`${grouped(size)} accounts`);
      sizes.push(await measureSize(stage, context, size));
    }
    return { sizes };
  },
  figures,
  problems: problemsOf,
});

async function measureSize(stage: Stage, { load, postgres }: Context, rows: number) {
  const { database, url } = await stage.database(postgres);
  const askers = await load.ask<string[]>({ kind: 'wallets', count: ASKERS });
  const { rows: accounts } = await fillRewards(database, {
    rows,
    askers: askers.slice(0, Math.min(ASKERS, walletsOf(rows))),
  });
  const key = await partnerKey(database);
  const server = await stage.server({ DATABASE_URL: url });
  try {
    const signed = await load.ask<SignedHeaders[]>({ kind: 'requests', count: TIMES * 2 });
    let next = 0;
    const get = async (path: string, headers: Record<string, string>) => {
      const response = await fetch(server.url + path, { headers });
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
    server.child.stop();
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

function figures({ sizes }: Result): Figures {
  const names = Object.keys(sizes[0]!.medians);
  return {
    columns: numberColumns('', ...sizes.map(({ accounts }) => [grouped(accounts), 'ms'] as const)),
    rows: names.map((name) => ({ cells: [name, ...sizes.map(({ medians }) => medians[name]!.toFixed(1))] })),
  };
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
