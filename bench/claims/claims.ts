// Measures claims on two instances with one PostgreSQL and very many open claims, with reads at the same time, and
// during the booking of a settlement with very many holders.
import { Keypair } from '@solana/web3.js';
import type { Database } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { grouped } from '#app/cli/table.js';
import { openPaymentsGate } from '#tests/database/payments-gate.js';
import type { ClaimsLoadOrder, ClaimsRun, ClaimsRunResult } from './load.js';
import { startClaimsNode } from './node.js';
import { fillOpenClaims } from './open-claims.js';
import type { Child } from '../driver/child.js';
import { whole } from '../driver/options.js';
import { numberColumns, say, scenario, type Figures } from '../driver/scenario.js';
import type { Stage } from '../driver/stage.js';
import { bookManyHolders, payManyHolders } from './settlement-booking.js';

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

interface Chosen {
  readonly seconds: number;
  readonly open: number;
}

interface Context {
  readonly database: Database;
  readonly load: Child;
  readonly mint: string;
  readonly ports: readonly number[];
}

interface Result {
  readonly openClaims: number;
  readonly fastest: ClaimsRunResult;
  readonly steady: ClaimsRunResult;
  readonly whileBooked: ClaimsRunResult;
  readonly bookedSeconds: number;
}

scenario('claims', {
  about: `Measures ${INSTANCES} instances on PostgreSQL with ${grouped(OPEN_CLAIMS)} open claims: first claims as fast as they are answered, then a
steady ${STEADY_CLAIMS_PER_SECOND} claims and ${READS_PER_SECOND} reads a second, then the same while a settlement of ${grouped(HOLDERS)} holders is booked.
Clients, node, database and instances share the machine.`,
  options: {
    seconds: whole(SECONDS, `seconds of each measurement (${SECONDS})`),
    open: whole(OPEN_CLAIMS, `open claims (${grouped(OPEN_CLAIMS)})`),
  },
  fails: `there are less than ${LEAST_CLAIMS_PER_SECOND} claims a second, or the p99 of reads is over ${MOST_READ_P99_MS} ms`,
  setup,
  load: claim,
  figures,
  problems: problemsOf,
});

async function setup(stage: Stage, { seconds, open }: Chosen): Promise<Context> {
  const node = await startClaimsNode();
  stage.later(() => node.stop());
  const { database, url } = await stage.database(await stage.postgres(), 10);
  const load = await stage.child('claims/load.ts');
  const mint = Keypair.generate().publicKey.toBase58();
  const { claimers, readers } = await ask<Record<'claimers' | 'readers', string[]>>(load, {
    kind: 'wallets',
    claimers: 3 * seconds * MOST_CLAIMS_PER_SECOND,
    readers: READERS,
  });
  say(`filling the tables: ${grouped(open)} claims in progress`);
  await fillOpenClaims(database, { mint, open, wallets: [...claimers, ...readers] });
  const environment = {
    ...{ DATABASE_URL: url, RPC_URL: node.url, LOG_LEVEL: 'warn' },
    TREASURY_KEYPAIR: JSON.stringify([...Keypair.generate().secretKey]),
  };
  const ports: number[] = [];
  while (ports.length < INSTANCES) ports.push((await stage.server(environment)).port);
  return { database, load, mint, ports };
}

async function claim({ database, load, mint, ports }: Context, { seconds, open }: Chosen): Promise<Result> {
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
  return { openClaims: open, fastest, steady, whileBooked, bookedSeconds };
}

async function requireExact(database: Database): Promise<void> {
  const problems = await checkLedger(database.on('jobs').queries, { whole: true });
  if (problems.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(problems[0])}`);
}

function ask<Answer>(load: Child, order: ClaimsLoadOrder): Promise<Answer> {
  return load.ask<Answer>(order);
}

function figures({ openClaims, fastest, steady, whileBooked, bookedSeconds }: Result): Figures {
  const row = (name: string, { claimed, claimP50, claimP99, read, readP50, readP99 }: ClaimsRunResult) => ({
    cells: [name, claimed, claimP50, claimP99, read, readP50, readP99].map((cell) =>
      typeof cell === 'string' ? cell : (cell?.toFixed(0) ?? ''),
    ),
  });
  const refused = [fastest, steady, whileBooked].flatMap((run) => [
    ...Object.entries(run.refused).map(([answer, count]) => `${count} refused: ${answer}`),
    ...(run.readFailures > 0 ? [`${run.readFailures} reads failed`] : []),
  ]);
  const times = [['p50', 'ms'] as const, ['p99', 'ms'] as const];
  return {
    columns: numberColumns('', ['claims', '1/s'], ...times, ['reads', '1/s'], ...times),
    rows: [
      row('as fast as answered', fastest),
      row('steady, with reads', steady),
      row('while a settlement is booked', whileBooked),
    ],
    notes: [
      ...refused,
      `${INSTANCES} instances, ${grouped(openClaims)} claims in progress; ${grouped(HOLDERS)} holders booked in ${bookedSeconds.toFixed(1)} s; at least ${LEAST_CLAIMS_PER_SECOND} claims/s, reads p99 at most ${MOST_READ_P99_MS} ms`,
    ],
  };
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
