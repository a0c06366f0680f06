// Settles a token with many holders: exact credits, seconds, peak memory. With --check it fails outside the limits.
import { setTimeout as sleep } from 'node:timers/promises';
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
import { flag, whole } from '../driver/options.js';
import { say, scenario, type Figures } from '../driver/scenario.js';
import type { Stage } from '../driver/stage.js';
import { balancesOf, startHoldersNode } from './node.js';
import { runSettlement, type Moment, type Run } from './run.js';

const HOLDERS = 100_000;
/** Memory is compared with that of a part of the holders. */
const PART = 10;
/** From the last sample to the last credit, with a million holders or fewer. */
const LIMIT_SECONDS = 200;
/** With 100,000 holders, samples included. In a period of an hour the samples take no time of the settlement's own. */
const LIMIT_WITH_SAMPLES_SECONDS = 60;
/**
 * Allowed growth of the peak memory with more holders. A longer run alone fills V8's young generation, which takes 48 MiB. Keeping a
 * million holders in memory would need far more.
 */
const LIMIT_GROWTH_BYTES = 128 * 1_048_576;
const GIVEN_SOL = 7_000_000_007n;
const GIVEN_TOKEN = 9_000_000_011n;
/** The answer in whose middle the settling process is killed. */
const KILLED_SAMPLE = 3;
const CREDITS_LOOK_MS = 100;

interface Settled extends Run {
  readonly holders: number;
  readonly seconds: number;
  readonly secondsAfterSamples: number;
  readonly exact: boolean;
}

interface Result {
  /** First with fewer holders, then with all. With --kill once more with all. */
  readonly settled: readonly Settled[];
}

interface Context {
  readonly cluster: LocalCluster;
  readonly database: Database;
  readonly node: Awaited<ReturnType<typeof startHoldersNode>>;
  readonly environment: Readonly<Record<string, string>>;
}

scenario('settlement', {
  about: `Settles two tokens into PostgreSQL, one with a tenth of the holders, each in its own process: takes 16 samples of
the holders one after the other, and compares every credit with the exact division. The cluster is Surfpool. A proxy replaces
the list of holders.`,
  options: {
    holders: whole(HOLDERS, `wallets in the larger settlement (default ${HOLDERS})`, {
      least: 1_000,
      most: 10_000_000,
    }),
    kill: flag(
      `settles as many once more, with the process killed in the middle of a sample and in the
middle of the credits`,
    ),
  },
  fails: `a credit is not exact, the larger settlement takes over ${LIMIT_SECONDS} s from the last sample to the last credit
(with ${HOLDERS} holders: over ${LIMIT_WITH_SAMPLES_SECONDS} s in all), or memory grows with the holders`,
  setup,
  load: async (context, { holders, kill }): Promise<Result> => {
    const settled: Settled[] = [];
    for (const [count, isKilled] of [
      [Math.ceil(holders / PART), false],
      [holders, false],
      ...(kill ? [[holders, true] as const] : []),
    ] as const) {
      say(`settling a token of ${grouped(count)} holders${isKilled ? ', killed twice' : ''}`);
      context.node.setHolders(count);
      settled.push(await measureOne(context, count, isKilled));
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

async function measureOne(context: Context, holders: number, isKilled: boolean): Promise<Settled> {
  const { cluster, database, node, environment } = context;
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

  const mint = token.mint.toBase58();
  const moments: Moment[] = isKilled
    ? [
        (kill) => node.inTheMiddleOf(KILLED_SAMPLE, kill),
        (kill) => void halfCredited(database, mint).then(kill),
      ]
    : [];
  const run = await whileFinalizing(cluster, () => runSettlement(mint, environment, moments));
  const { sampled = NaN, done = NaN } = run.steps;
  const exact = await isExact(database.on('jobs'), run, holders);
  return { holders, ...run, seconds: done, secondsAfterSamples: done - sampled, exact };
}

/** Returns when half of the holders' lamports are credited. */
async function halfCredited({ queries }: Database, mint: string): Promise<void> {
  for (;;) {
    const [row] = await rowsOf<{ half: boolean }>(
      queries,
      sql`select state = 'paid' and sol_credited * 2 > sol_holders as half from settlements where mint = ${mint}`,
    );
    if (row?.half === true) return;
    await sleep(CREDITS_LOOK_MS);
  }
}

/** Whether every wallet got its exact credit, and the ledger adds up. */
async function isExact(database: Database, { settlement }: Run, holders: number): Promise<boolean> {
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
  const [fewer, ...others] = settled;
  for (const { holders, kills, seconds, secondsAfterSamples, peakBytes } of others) {
    const of = `${grouped(holders)} holders${kills > 0 ? `, killed ${kills} times` : ''}`;
    if (secondsAfterSamples > LIMIT_SECONDS)
      problems.push(
        `${of}: ${secondsAfterSamples.toFixed(1)} s after the last sample, over ${LIMIT_SECONDS} s`,
      );
    if (holders <= HOLDERS && kills === 0 && seconds > LIMIT_WITH_SAMPLES_SECONDS)
      problems.push(`${of}: ${seconds.toFixed(1)} s, over ${LIMIT_WITH_SAMPLES_SECONDS} s`);
    const growth = peakBytes - (fewer?.peakBytes ?? 0);
    if (growth > LIMIT_GROWTH_BYTES)
      problems.push(`${of} take ${mebibytes(growth)} MiB more than ${grouped(fewer?.holders ?? 0)}`);
  }
  return problems;
}

function figures({ settled }: Result): Figures {
  const at = (seconds: number | undefined) => (seconds ?? NaN).toFixed(1);
  const times = ['16 samples', 'planned', 'finalized', 'credited', 'after the samples', 'limit', 'CPU time'];
  return {
    columns: [
      { title: 'holders', align: 'right' },
      { title: 'kills', align: 'right' },
      ...times.map((title) => ({ title, unit: 's', align: 'right' as const })),
      { title: 'memory at start', unit: 'MiB', align: 'right' },
      { title: 'peak', unit: 'MiB', align: 'right' },
      { title: 'credits' },
    ],
    rows: settled.map(({ steps, ...result }) => ({
      cells: [
        grouped(result.holders),
        String(result.kills),
        ...[steps.sampled, steps.planned, steps.finalized, result.seconds, result.secondsAfterSamples].map(
          at,
        ),
        String(LIMIT_SECONDS),
        at(result.cpuSeconds),
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
