// Measures claims on two instances with one PostgreSQL and very many open claims, with reads at the same time, and
// during the booking of a settlement with very many holders.
import { Keypair } from '@solana/web3.js';
import { openDatabase, type Database } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { grouped, renderTable } from '#app/cli/table.js';
import { openPaymentsGate } from '#tests/database/payments-gate.js';
import { startPostgres } from '#tests/database/postgres.js';
import { startChild, type Child } from './child.js';
import type { ClaimsLoadOrder, ClaimsRun, ClaimsRunResult } from './claims-load.js';
import { startClaimsNode } from './claims-node.js';
import type { ServerState } from './http-server.js';
import { describeMachine, observeMachine, postgresVersion, type Machine } from './machine.js';
import { fillOpenClaims } from './open-claims.js';
import { bookManyHolders, payManyHolders } from './settlement-booking.js';
import { runBench, say } from './run-bench.js';

const LEAST_CLAIMS_PER_SECOND = 150;
const MOST_READ_P99_MS = 50;

const SECONDS = 15;
const OPEN_CLAIMS = 100_000;
const HOLDERS = 100_000;
const INSTANCES = 2;
const READERS = 200;
const READS_PER_SECOND = 50;
const STEADY_CLAIMS_PER_SECOND = 160;
/** More than the service can answer, so that the wallets do not run out. */
const MOST_CLAIMS_PER_SECOND = 700;

const HELP = `npm run bench -- claims [OPTIONS]

Measures ${INSTANCES} instances on PostgreSQL with ${grouped(OPEN_CLAIMS)} open claims: first claims as fast as they are answered, then a
steady ${STEADY_CLAIMS_PER_SECOND} claims and ${READS_PER_SECOND} reads a second, then the same while a settlement of ${grouped(HOLDERS)} holders is booked.
Clients, node, database and instances share the machine.

  --seconds N  seconds of each measurement (${SECONDS})
  --open N     open claims (${grouped(OPEN_CLAIMS)})
  --json       one JSON document
  --check      exit code 1 below ${LEAST_CLAIMS_PER_SECOND} claims a second, or when the p99 of reads is over ${MOST_READ_P99_MS} ms`;

interface Result {
  readonly machine: Machine;
  readonly openClaims: number;
  readonly fastest: ClaimsRunResult;
  readonly steady: ClaimsRunResult;
  readonly whileBooked: ClaimsRunResult;
  readonly bookedSeconds: number;
}

runBench({
  help: HELP,
  numbers: { seconds: SECONDS, open: OPEN_CLAIMS },
  measure: ({ seconds, open }) => measure(seconds, open),
  table: tableOf,
  problems: problemsOf,
});

async function measure(seconds: number, openClaims: number): Promise<Result> {
  const conditions = observeMachine();
  const node = await startClaimsNode();
  const postgres = await startPostgres();
  const load = await startChild('claims-load.ts');
  const servers: Child[] = [];
  try {
    const url = await postgres.createDatabase();
    const database = await openDatabase({ kind: 'postgres', url, poolSize: 10 });
    try {
      await database.migrate();
      const mint = Keypair.generate().publicKey.toBase58();
      const { claimers, readers } = await ask<Record<'claimers' | 'readers', string[]>>(load, {
        kind: 'wallets',
        claimers: 3 * seconds * MOST_CLAIMS_PER_SECOND,
        readers: READERS,
      });
      say(`filling the tables: ${grouped(openClaims)} claims in progress`);
      await fillOpenClaims(database, { mint, open: openClaims, wallets: [...claimers, ...readers] });
      const environment = {
        ...{ DATABASE_URL: url, RPC_URL: node.url, PORT: '0', INDEXER: 'off', LOG_LEVEL: 'warn' },
        TREASURY_KEYPAIR: JSON.stringify([...Keypair.generate().secretKey]),
        RATE_LIMIT_REQUESTS: '1000000000',
      };
      const ports: number[] = [];
      for (let instance = 0; instance < INSTANCES; instance += 1) {
        const child = await startChild('http-server.ts', { args: ['service'], environment });
        servers.push(child);
        ports.push(Number(new URL((await child.next<ServerState>()).url).port));
      }
      const runOnce = async (rates: Pick<ClaimsRun, 'claimsPerSecond' | 'readsPerSecond' | 'seconds'>) => {
        // The stand-in node has no history for the reconciliation of payments.
        await openPaymentsGate(database);
        return ask<ClaimsRunResult>(load, { kind: 'run', run: { ports, mint, ...rates } });
      };
      const both = { claimsPerSecond: STEADY_CLAIMS_PER_SECOND, readsPerSecond: READS_PER_SECOND, seconds };
      say('warming up');
      await runOnce({ ...both, seconds: 3 });
      say('as fast as they are answered');
      const fastest = await runOnce({ claimsPerSecond: 0, readsPerSecond: 0, seconds });
      say('at a steady rate');
      const steady = await runOnce(both);
      say(`while a settlement of ${grouped(HOLDERS)} holders is booked`);
      const settlement = await payManyHolders(database, HOLDERS);
      const [whileBooked, bookedSeconds] = await Promise.all([
        runOnce(both),
        bookManyHolders(database, settlement),
      ]);
      await requireExact(database);
      return {
        machine: conditions(await postgresVersion(database.queries)),
        ...{ openClaims, fastest, steady, whileBooked, bookedSeconds },
      };
    } finally {
      await database.close();
    }
  } finally {
    for (const server of servers) server.stop();
    load.stop();
    await node.stop();
    await postgres.stop();
  }
}

async function requireExact(database: Database): Promise<void> {
  const problems = await checkLedger(database.on('jobs').queries, { whole: true });
  if (problems.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(problems[0])}`);
}

function ask<Answer>(load: Child, order: ClaimsLoadOrder): Promise<Answer> {
  return load.ask<Answer>(order);
}

function tableOf({ machine, openClaims, fastest, steady, whileBooked, bookedSeconds }: Result): string {
  const row = (name: string, { claimed, claimP50, claimP99, read, readP50, readP99 }: ClaimsRunResult) => ({
    cells: [name, claimed, claimP50, claimP99, read, readP50, readP99].map((cell) =>
      typeof cell === 'string' ? cell : (cell?.toFixed(0) ?? ''),
    ),
  });
  const table = renderTable(
    [
      { title: '' },
      { title: 'claims', unit: '1/s', align: 'right' },
      { title: 'p50', unit: 'ms', align: 'right' },
      { title: 'p99', unit: 'ms', align: 'right' },
      { title: 'reads', unit: '1/s', align: 'right' },
      { title: 'p50', unit: 'ms', align: 'right' },
      { title: 'p99', unit: 'ms', align: 'right' },
    ],
    [
      row('as fast as answered', fastest),
      row('steady, with reads', steady),
      row('while a settlement is booked', whileBooked),
    ],
  );
  const refused = [fastest, steady, whileBooked].flatMap((run) => [
    ...Object.entries(run.refused).map(([answer, count]) => `${count} refused: ${answer}`),
    ...(run.readFailures > 0 ? [`${run.readFailures} reads failed`] : []),
  ]);
  return [
    table,
    ...refused,
    '',
    `${INSTANCES} instances, ${grouped(openClaims)} claims in progress; ${grouped(HOLDERS)} holders booked in ${bookedSeconds.toFixed(1)} s; at least ${LEAST_CLAIMS_PER_SECOND} claims/s, reads p99 at most ${MOST_READ_P99_MS} ms`,
    describeMachine(machine),
  ].join('\n');
}

function problemsOf({ fastest, steady, whileBooked }: Result): string[] {
  return [
    fastest.claimed < LEAST_CLAIMS_PER_SECOND &&
      `${fastest.claimed.toFixed(0)} claims a second, below ${LEAST_CLAIMS_PER_SECOND}`,
    ...Object.entries({ steady, 'while a settlement is booked': whileBooked }).flatMap(([name, run]) => [
      (run.readP99 ?? 0) > MOST_READ_P99_MS &&
        `${name}: reads p99 is ${run.readP99?.toFixed(0)} ms, over ${MOST_READ_P99_MS}`,
      run.claimed < LEAST_CLAIMS_PER_SECOND &&
        `${name}: ${run.claimed.toFixed(0)} claims a second, below ${LEAST_CLAIMS_PER_SECOND}`,
      run.readFailures > 0 && `${name}: ${run.readFailures} reads failed`,
    ]),
  ].filter((problem) => problem !== false);
}
