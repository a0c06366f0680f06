// Settles a token with many holders: exact credits, seconds, peak memory. With --check it fails outside the limits.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Keypair } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import type { LocalCluster } from '@curvekit/testing';
import { divideByLargestRemainder } from '#app/settlement/payment/split.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { grouped } from '#app/cli/table.js';
import {
  clusterEnvironment,
  indexCreation,
  keyVariable,
  whileFinalizing,
} from '#tests/service/service-context.js';
import { buyTokens, donateSol, launch, transferTokens } from '#tests/program/tokens.js';
import { say, scenario, type Figures } from '../driver/scenario.js';
import type { Stage } from '../driver/stage.js';
import { balancesOf, startHoldersNode } from './node.js';

const HOLDERS = 100_000;
const FEWER_HOLDERS = 10_000;
const LIMIT_SECONDS = 60;
/** Allowed growth of the peak memory with ten times the holders. Keeping all holders in memory would need far more. */
const LIMIT_GROWTH_BYTES = 64 * 1_048_576;
const GIVEN_SOL = 7_000_000_007n;
const GIVEN_TOKEN = 9_000_000_011n;
const PROCESS = fileURLToPath(new URL('process.ts', import.meta.url));

interface Measured {
  readonly outcome: string;
  readonly problems: readonly string[];
  readonly settlement: number;
  readonly seconds: number;
  /** CPU time of the settling process. */
  readonly cpuSeconds: number;
  readonly steps: Readonly<Record<string, number>>;
  readonly startBytes: number;
  readonly peakBytes: number;
}

interface Settled extends Measured {
  readonly holders: number;
  readonly exact: boolean;
}

interface Result {
  /** First with fewer holders, then with all. */
  readonly settled: readonly Settled[];
}

interface Context {
  readonly cluster: LocalCluster;
  readonly database: Database;
  readonly node: Awaited<ReturnType<typeof startHoldersNode>>;
  readonly environment: Readonly<Record<string, string>>;
}

scenario('settlement', {
  about: `Settles tokens with ${FEWER_HOLDERS} and ${HOLDERS} holders into PostgreSQL, each in its own process: takes 16 samples of
the holders one after the other, and compares every credit with the exact division. The cluster is Surfpool. A proxy replaces
the list of holders.`,
  fails: `a credit is not exact, the larger settlement takes over ${LIMIT_SECONDS} s, or memory grows with the holders`,
  setup,
  load: async ({ cluster, database, node, environment }): Promise<Result> => {
    const settled: Settled[] = [];
    for (const holders of [FEWER_HOLDERS, HOLDERS]) {
      say(`settling a token of ${grouped(holders)} holders`);
      node.setHolders(holders);
      settled.push(await measureOne(cluster, database, environment, holders));
    }
    return { settled };
  },
  figures,
  problems: problemsOf,
});

async function setup(stage: Stage): Promise<Context> {
  say('starting a cluster and PostgreSQL');
  const cluster = await stage.cluster();
  const { database, url } = await stage.database(await stage.postgres(), 5);
  const node = await startHoldersNode(cluster.rpcUrl);
  stage.later(() => node.stop());
  const environment = {
    ...clusterEnvironment(cluster),
    RPC_URL: node.url,
    DATABASE_URL: url,
    TREASURY_KEYPAIR: keyVariable(await cluster.fundedWallet()),
    LP_ADDRESS: Keypair.generate().publicKey.toBase58(),
    // Shorter than the time of the samples, so that the measurement never waits for the next sample.
    SETTLEMENT_INTERVAL_SECONDS: '1',
  };
  return { cluster, database, node, environment };
}

async function measureOne(
  cluster: LocalCluster,
  database: Database,
  environment: Readonly<Record<string, string>>,
  holders: number,
): Promise<Settled> {
  const { payer } = cluster;
  const token = await launch(cluster, {
    afterMigrationHoldersBp: 10_000,
    afterMigrationBurnBp: 0,
    afterMigrationLpBp: 0,
  });
  await indexCreation(database, token);
  await buyTokens(cluster, token, payer, 1_000_000_000n);
  await cluster.fund(cluster.dexOwner.publicKey, 1_000_000_000n);
  await donateSol(cluster, token, GIVEN_SOL);
  await transferTokens(cluster, token.mint, payer, token.communityTokenStorage.address, GIVEN_TOKEN);

  const child = spawn(process.execPath, ['--import', 'tsx', PROCESS, token.mint.toBase58()], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  await whileFinalizing(cluster, () => once(child, 'exit'));
  const measured = JSON.parse(await output) as Measured;
  if (measured.outcome !== 'settled')
    throw new Error(`${grouped(holders)} holders: ${measured.outcome}: ${measured.problems.join(', ')}`);
  return { holders, ...measured, exact: await isExact(database, measured, holders) };
}

/** Whether every wallet got its exact credit, and the ledger adds up. */
async function isExact(database: Database, { settlement }: Measured, holders: number): Promise<boolean> {
  const balances = balancesOf(holders);
  const weights = balances.map(([, balance]) => balance);
  const expected = {
    sol: divideByLargestRemainder(GIVEN_SOL, weights),
    token: divideByLargestRemainder(GIVEN_TOKEN, weights),
  };
  const rows = await rowsOf<{ wallet: string; sol: string; token: string }>(
    database.queries,
    sql`select owner as wallet,
        coalesce(sum(balance) filter (where asset = 'SOL'), 0)::text as sol,
        coalesce(sum(balance) filter (where asset = 'TOKEN'), 0)::text as token
      from ledger_accounts where kind = 'claimable' and mint = (select mint from settlements where id = ${settlement})
      group by owner`,
  );
  const credited = new Map(rows.map((row) => [row.wallet, row]));
  const matches = balances.every(
    ([wallet], index) =>
      BigInt(credited.get(wallet)?.sol ?? 0) === expected.sol[index] &&
      BigInt(credited.get(wallet)?.token ?? 0) === expected.token[index],
  );
  const strangers = credited.size > balances.length;
  return matches && !strangers && (await checkLedger(database.queries, { whole: true })).length === 0;
}

function problemsOf({ settled }: Result): string[] {
  const problems = settled
    .filter(({ exact }) => !exact)
    .map(({ holders }) => `${grouped(holders)} holders: the credits are not exact`);
  const [fewer, all] = settled;
  if (all === undefined || fewer === undefined) return problems;
  if (all.seconds > LIMIT_SECONDS)
    problems.push(`${grouped(all.holders)} holders: ${all.seconds.toFixed(1)} s, over ${LIMIT_SECONDS} s`);
  const growth = all.peakBytes - fewer.peakBytes;
  if (growth > LIMIT_GROWTH_BYTES) problems.push(`ten times the holders take ${mebibytes(growth)} MiB more`);
  return problems;
}

function figures({ settled }: Result): Figures {
  const at = ({ steps }: Settled, step: string) => (steps[step] ?? NaN).toFixed(1);
  const seconds = ['16 samples', 'planned', 'finalized', 'credited', 'limit', 'CPU time'];
  return {
    columns: [
      { title: 'holders', align: 'right' },
      ...seconds.map((title) => ({ title, unit: 's', align: 'right' as const })),
      { title: 'memory at start', unit: 'MiB', align: 'right' },
      { title: 'peak', unit: 'MiB', align: 'right' },
      { title: 'credits' },
    ],
    rows: settled.map((result) => ({
      cells: [
        grouped(result.holders),
        at(result, 'sampled'),
        at(result, 'planned'),
        at(result, 'finalized'),
        result.seconds.toFixed(1),
        String(LIMIT_SECONDS),
        result.cpuSeconds.toFixed(1),
        mebibytes(result.startBytes),
        mebibytes(result.peakBytes),
        result.exact ? 'exact' : 'NOT exact',
      ],
    })),
  };
}

function mebibytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}
