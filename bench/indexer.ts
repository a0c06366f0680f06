// Back-fill of a long history into PostgreSQL: records per second, and memory. Fails under --check outside its limits.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Keypair } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import { buy, fetchCurveState, quoteBuy, quoteSell, sell } from '@curvekit/sdk';
import { startLocalCluster, type LocalCluster, type SentTransaction } from '@curvekit/testing';
import { column } from '#app/db/arrays.js';
import { openDatabase, rowsOf, type Database } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { grouped, renderTable } from '#app/cli/table.js';
import { startPostgres } from '#tests/database/postgres.js';
import { launch } from '#tests/program/tokens.js';
import { startChild, type Child } from './child.js';
import type { Sample, Samples } from './indexer-chain.js';
import type { NodeAnswer, NodeOrder } from './indexer-node.js';
import type { IndexerState } from './indexer-process.js';
import { describeMachine, observeMachine, postgresVersion, type Machine } from './machine.js';

const RECORDS = 300_000;
const LEAST_PER_SECOND = 3_000;
/** What the process may take on after the first fifth of the records, when every part of it has been used. */
const MOST_GROWTH_BYTES = 64 * 1_048_576;
const WARM_UP_SHARE = 0.2;
const SAMPLE_EVERY_MS = 500;
const SAY_EVERY = 20;

const TRADERS = 2_000;
/** Traders whom a partner has registered: their trades are booked in the ledger. */
const USERS = 200;
const SHARE_BPS = 1_000;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean' },
    check: { type: 'boolean' },
    records: { type: 'string', default: String(RECORDS) },
    help: { type: 'boolean', short: 'h' },
  },
});

const HELP = `npm run bench -- indexer [OPTIONS]

Indexes a history of ${grouped(RECORDS)} records from a node in a process of its own into PostgreSQL, one record in ${TRADERS / USERS}
with a referral reward, and compares totals and ledger with what the history adds up to.

  --records N  how many (${grouped(RECORDS)})
  --json       one JSON document
  --check      exit code 1 when anything is missing or twice, below ${grouped(LEAST_PER_SECOND)} records per second, or when
               memory grows`;

interface Result {
  readonly machine: Machine;
  readonly records: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Of the indexer's process. */
  readonly cpuSeconds: number;
  /** Resident memory: after the warm-up, at the end, and the most in between. */
  readonly firstBytes: number;
  readonly lastBytes: number;
  readonly mostBytes: number;
  /** What the tables have, or lack, that the history does not. */
  readonly differences: readonly string[];
}

if (values.help) console.log(HELP);
else await main();

async function main(): Promise<void> {
  const records = Number(values.records);
  if (!Number.isInteger(records) || records < 1) {
    console.error(`--records is '${values.records}'; it must be a whole number above 0\n\n${HELP}`);
    process.exitCode = 2;
    return;
  }
  const result = await measure(records);
  console.log(values.json ? JSON.stringify(result, null, 2) : tableOf(result));
  const problems = problemsOf(result);
  if (!values.check || problems.length === 0) return;
  for (const problem of problems) console.error(problem);
  process.exitCode = 1;
}

async function measure(records: number): Promise<Result> {
  say('taking samples of transactions from a local cluster');
  const samples = await takeSamples();
  const traders = Array.from({ length: TRADERS }, () => Keypair.generate().publicKey.toBase58());
  const node = startChild('indexer-node.ts');
  say(`making ${grouped(records)} records`);
  const order: NodeOrder = { samples, size: { records, traders, users: USERS, shareBps: SHARE_BPS } };
  const made = node.ask<NodeAnswer>(order);
  const postgres = await startPostgres();
  let indexer: Child | undefined;
  try {
    const url = await postgres.createDatabase();
    const database = await openDatabase({ kind: 'postgres', url, poolSize: 4 });
    try {
      await database.migrate();
      await registerUsers(database, traders.slice(0, USERS));
      const { url: nodeUrl, totals } = await made;
      const conditions = observeMachine();
      indexer = startChild('indexer-process.ts', {
        environment: {
          DATABASE_URL: url,
          RPC_URL: nodeUrl,
          REFERRAL_SHARE_BPS: String(SHARE_BPS),
          LOG_LEVEL: 'silent',
        },
      });
      await indexer.next<IndexerState>();
      const course = await follow(indexer, records);
      const machine = conditions(await postgresVersion(database.queries));
      return {
        machine,
        records,
        ...course,
        differences: await differencesFrom(database, totals, course.gaps),
      };
    } finally {
      await database.close();
    }
  } finally {
    indexer?.stop();
    node.stop();
    await postgres.stop();
  }
}

/** From the indexer's start until it has read everything. */
async function follow(indexer: Child, records: number) {
  const start = performance.now();
  const states: IndexerState[] = [];
  for (;;) {
    const state = await indexer.ask<IndexerState>('state');
    states.push(state);
    if (states.length % SAY_EVERY === 0) {
      const rate = Math.round(state.records / ((performance.now() - start) / 1_000));
      say(
        `${grouped(state.records)} records, ${grouped(rate)} per second, ${mebibytes(state.residentBytes)} MiB`,
      );
    }
    if (state.records >= records) break;
    await sleep(SAMPLE_EVERY_MS);
  }
  const seconds = (performance.now() - start) / 1_000;
  const warm = states.filter((state) => state.records >= records * WARM_UP_SHARE);
  const [first, last] = [warm[0]!, warm.at(-1)!];
  return {
    seconds,
    perSecond: records / seconds,
    cpuSeconds: last.cpuSeconds,
    firstBytes: first.residentBytes,
    lastBytes: last.residentBytes,
    mostBytes: Math.max(...warm.map(({ residentBytes }) => residentBytes)),
    gaps: last.gaps,
  };
}

/** One transaction of each kind as a real cluster tells it. */
async function takeSamples(): Promise<Samples> {
  const cluster = await startLocalCluster({ backend: 'surfpool' });
  try {
    const token = await launch(cluster);
    const trader = await cluster.fundedWallet();
    const { mint } = token;
    const curve = async () => (await fetchCurveState(cluster.connection, mint))!;
    const payer = trader.publicKey;
    const bought = await cluster.send(buy({ mint, payer, ...quoteBuy(await curve(), 1_000_000_000n) }), [
      trader,
    ]);
    const sold = await cluster.send(sell({ mint, payer, ...quoteSell(await curve(), 1_000_000n) }), [trader]);
    const sampleOf = (sent: SentTransaction, wallet: Keypair) =>
      sample(cluster, sent, mint.toBase58(), wallet.publicKey.toBase58());
    return {
      create: await sampleOf(token.created, cluster.payer),
      buy: await sampleOf(bought, trader),
      sell: await sampleOf(sold, trader),
    };
  } finally {
    await cluster.stop();
  }
}

interface RawTransaction {
  readonly slot: number;
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
  readonly meta: {
    readonly innerInstructions: readonly {
      readonly instructions: readonly { readonly programIdIndex: number; readonly data: string }[];
    }[];
  };
}

async function sample(
  cluster: LocalCluster,
  { signature }: SentTransaction,
  mint: string,
  trader: string,
): Promise<Sample> {
  const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const response = await fetch(cluster.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [signature, options] }),
  });
  const { result } = (await response.json()) as { result: RawTransaction };
  const program = result.transaction.message.accountKeys.indexOf(cluster.programId.toBase58());
  const call = result.meta.innerInstructions
    .flatMap(({ instructions }) => instructions)
    .find(({ programIdIndex }) => programIdIndex === program);
  if (call === undefined) throw new Error(`${signature} has no record`);
  return { json: JSON.stringify(result), call: call.data, signature, mint, trader, slot: result.slot };
}

/** A partner whose users the wallets are, from before the first trade. */
async function registerUsers(database: Database, wallets: readonly string[]): Promise<void> {
  const payoutWallet = Keypair.generate().publicKey.toBase58();
  await database.queries.execute(sql`
    with partner as (insert into partners (name, payout_wallet) values ('Benchmark', ${payoutWallet}) returning id)
    insert into partner_users (wallet, partner_id, signature, registered_slot)
    select wallet, partner.id, 'of ' || wallet, 0 from partner, unnest(${column(wallets, 'text')}) as users(wallet)
  `);
}

async function differencesFrom(
  database: Database,
  totals: NodeAnswer['totals'],
  gaps: number,
): Promise<string[]> {
  const [found] = await rowsOf<NodeAnswer['totals']>(
    database.queries,
    sql`select (select count(*) from records where finalized)::text as records, (select count(*) from trades)::text as trades,
          (select count(*) from tokens)::text as tokens, sum(sol_paid)::text as "solPaid",
          sum(sol_received)::text as "solReceived", sum(fees)::text as fees,
          (select coalesce(-sum(balance), 0) from ledger_accounts where kind = 'referral')::text as rewards
        from curve_states`,
  );
  const differences = Object.entries(totals)
    .filter(([name, expected]) => found?.[name as keyof typeof totals] !== expected)
    .map(([name, expected]) => `${name}: ${found?.[name as keyof typeof totals]} instead of ${expected}`);
  if (gaps > 0) differences.push(`${gaps} records do not follow from those before them`);
  const ledger = await checkLedger(database.queries, { whole: true });
  return [...differences, ...ledger.map(({ rule, detail }) => `${rule}: ${detail}`)];
}

function problemsOf({ differences, perSecond, firstBytes, mostBytes }: Result): string[] {
  const problems = [...differences];
  if (perSecond < LEAST_PER_SECOND)
    problems.push(`${grouped(Math.round(perSecond))} records per second, below ${grouped(LEAST_PER_SECOND)}`);
  const growth = mostBytes - firstBytes;
  if (growth > MOST_GROWTH_BYTES)
    problems.push(`memory grows by ${mebibytes(growth)} MiB, over ${mebibytes(MOST_GROWTH_BYTES)} MiB`);
  return problems;
}

function tableOf(result: Result): string {
  const table = renderTable(
    [
      { title: 'records', align: 'right' },
      { title: 'time', unit: 's', align: 'right' },
      { title: 'rate', unit: '1/s', align: 'right' },
      { title: 'limit', unit: '1/s', align: 'right' },
      { title: 'CPU', unit: 's', align: 'right' },
      { title: 'memory at 20 %', unit: 'MiB', align: 'right' },
      { title: 'at the end', unit: 'MiB', align: 'right' },
      { title: 'most', unit: 'MiB', align: 'right' },
      { title: 'records and ledger' },
    ],
    [
      {
        cells: [
          grouped(result.records),
          result.seconds.toFixed(1),
          grouped(Math.round(result.perSecond)),
          grouped(LEAST_PER_SECOND),
          result.cpuSeconds.toFixed(1),
          mebibytes(result.firstBytes),
          mebibytes(result.lastBytes),
          mebibytes(result.mostBytes),
          result.differences.length === 0 ? 'exact' : result.differences.join('\n'),
        ],
      },
    ],
  );
  return `${table}\n\n${describeMachine(result.machine)}`;
}

function mebibytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(0);
}

function say(line: string): void {
  console.error(`bench: ${line}`);
}
