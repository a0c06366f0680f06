// An indexer process, PostgreSQL, and a stand-in node with an artificial chain.
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { sql } from 'drizzle-orm';
import { buy, fetchCurveState, quoteBuy, quoteSell, sell } from '@curvekit/sdk';
import type { LocalCluster, SentTransaction } from '@curvekit/testing';
import { column } from '#app/db/statements.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { grouped } from '#app/operator/table.js';
import { callRpc } from '#testing/json-rpc.js';
import { launch } from '#tests/program/tokens.js';
import { postgresCpuSeconds } from '../driver/measure.js';
import { say } from '../driver/scenario.js';
import { Stage, type Child } from '../driver/stage.js';
import { QUIET_MS, type ChainSize, type Price, type Samples } from './chain.js';
import type { NodeAnswer, NodeOrder } from './node.js';
import type { IndexerState } from './process.js';
import type { Sample } from './transaction-template.js';

/** The time after the last slot in which it must be finalized and booked. */
const DRAIN_MS = 60_000;
const TRADERS = 2_000;
/** Traders registered by a partner. Their trades earn rewards in the ledger. */
const USERS = 200;
const SHARE_BPS = 1_000;
export const EARNERS = ['none', 'creator', 'traders'] as const;

export interface Running {
  /** Answers any message with `IndexerState`. */
  indexer: Child;
  /** Kills the indexer and starts another. */
  readonly restart: () => Promise<void>;
  /** Stops PostgreSQL where it is, or lets it go on. */
  readonly freeze: (frozen: boolean) => void;
  /** The prices that the stream told last. */
  readonly newestPrices: () => Promise<Price[]>;
  /** Answers `NodeQuestion`. */
  readonly node: Child;
  /** Records in the tables. */
  readonly shown: () => Promise<number>;
  /** Waits until the tables are those of the chain, or too long. @returns the differences */
  readonly whenFinalized: () => Promise<string[]>;
  /** CPU seconds of PostgreSQL so far. */
  readonly databaseCpu: () => Promise<number | undefined>;
  /** On disk, without the tables that are emptied again. */
  readonly storedBytes: () => Promise<number>;
}

/** Starts everything. */
export async function startIndexer(
  stage: Stage,
  size: Pick<ChainSize, 'records' | 'perSlot' | 'firstTime'>,
  source: 'rpc' | 'grpc',
  earner: (typeof EARNERS)[number] = 'none',
): Promise<Running> {
  say('taking samples of transactions from a local cluster');
  const samples = await takeSamples();
  const traders = Array.from({ length: TRADERS }, () => Keypair.generate().publicKey.toBase58());
  // A feed has a process of its own, of the same chain: a node that sends a busy market's transactions answers late.
  const processes = await Promise.all(
    Array.from({ length: source === 'grpc' ? 2 : 1 }, () => stage.child('indexer/node.ts')),
  );
  const node = processes[0]!;
  const askAll = <T>(message: object) => Promise.all(processes.map((each) => each.ask<T>(message)));
  say(`making ${grouped(size.records)} records`);
  const order: NodeOrder = { samples, size: { ...size, traders, users: USERS, shareBps: SHARE_BPS } };
  const made = askAll<NodeAnswer>(order);
  const { database, url, server } = await stage.database();
  await registerUsers(database, traders.slice(0, USERS));
  const [{ url: nodeUrl, totals }, fed] = (await made) as [NodeAnswer, NodeAnswer?];
  if (earner === 'traders') await chooseTraders(database);
  const environment = {
    DATABASE_URL: url,
    RPC_URL: nodeUrl,
    REFERRAL_SHARE_BPS: String(SHARE_BPS),
    CREATOR_SHARE_BPS: earner === 'none' ? '0' : '5000',
    LOG_LEVEL: 'silent',
    ...(source === 'grpc' && { YELLOWSTONE_URL: fed!.feedUrl }),
    // As often as the node's notifications would wake the indexer.
    INDEXER_POLL_MS: '50',
  };
  const start = async () => {
    const indexer = await stage.child('indexer/process.ts', environment);
    await indexer.next<IndexerState>();
    return indexer;
  };
  const indexer = await start();
  await askAll({ growFrom: Date.now() });
  // The first message starts it.
  await Promise.all([indexer.ask<IndexerState>('state'), sleep(QUIET_MS)]);
  const gaps = async () => (await running.indexer.ask<IndexerState>('state')).gaps;
  const running: Running = {
    indexer,
    restart: async () => {
      await running.indexer.kill();
      running.indexer = await start();
      await running.indexer.ask<IndexerState>('state');
    },
    freeze: (frozen) => server.freeze(frozen),
    newestPrices: () => newestPricesIn(database),
    node,
    shown: () => recordsIn(database),
    whenFinalized: async () => {
      for (const since = performance.now(); ;) {
        const found = await differencesFrom(database, totals, await gaps());
        if (found.length === 0 || performance.now() - since > DRAIN_MS) return found;
        await sleep(1_000);
      }
    },
    databaseCpu: () => postgresCpuSeconds(database),
    storedBytes: () => bytesIn(database),
  };
  return running;
}

async function recordsIn(database: Database): Promise<number> {
  const [row] = await rowsOf<{ records: string }>(
    database.queries,
    sql`select (coalesce(sum(buys + sells), 0) + count(*))::text as records from curve_states`,
  );
  return Number(row?.records);
}

/** Tokens of which the stream told a price at last: those whose trades are booked come after one that trades now. */
const NEWEST_PRICES = 100;

async function newestPricesIn(database: Database): Promise<Price[]> {
  const rows = await rowsOf<{ data: string }>(
    database.queries,
    sql`select data from market_events where type = 'update' order by id desc limit ${NEWEST_PRICES}`,
  );
  // Of a token told twice, the newer price stays.
  return rows.map(({ data }) => JSON.parse(data) as Price).reverse();
}

/** One transaction of each kind, from a real cluster. */
async function takeSamples(): Promise<Samples> {
  const stage = new Stage();
  try {
    const cluster = await stage.cluster();
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
    await stage.stop();
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
  const result = (await callRpc(cluster.rpcUrl, 'getTransaction', [signature, options])) as RawTransaction;
  const program = result.transaction.message.accountKeys.indexOf(cluster.programId.toBase58());
  const call = result.meta.innerInstructions
    .flatMap(({ instructions }) => instructions)
    .find(({ programIdIndex }) => programIdIndex === program);
  if (call === undefined) throw new Error(`${signature} has no record`);
  return { json: JSON.stringify(result), call: call.data, signature, mint, trader, slot: result.slot };
}

/** Registers the wallets as users of a partner before the first trade. */
async function registerUsers(database: Database, wallets: readonly string[]): Promise<void> {
  const payoutWallet = Keypair.generate().publicKey.toBase58();
  await database.queries.execute(sql`
    with partner as (insert into partners (name, payout_wallet) values ('Benchmark', ${payoutWallet}) returning id)
    insert into partner_users (wallet, partner_id, signature, registered_slot)
    select wallet, partner.id, 'of ' || wallet, 0 from partner, unnest(${column(wallets, 'text')}) as users(wallet)
  `);
}

/** The creator of every token chooses the traders, before its first trade. */
async function chooseTraders({ queries }: Database): Promise<void> {
  await queries.execute(sql`create function choose_traders() returns trigger language plpgsql as $$ begin
    insert into fee_shares (mint, creator, kind, slot, message, signed, signature)
      values (new.mint, new.creator, 'traders', 0, '', '', '');
    return null; end $$`);
  await queries.execute(
    sql`create trigger choose after insert on tokens for each row execute function choose_traders()`,
  );
}

/** Their rows are deleted when trades are final, or after a while: their sizes are those of the busiest time. */
const EMPTIED = ['indexer_backlog', 'market_events', 'pending_rewards', 'unfinalized'];

async function bytesIn(database: Database): Promise<number> {
  const [row] = await rowsOf<{ bytes: string }>(
    database.queries,
    sql`select sum(pg_total_relation_size(oid))::text as bytes from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> all(${column(EMPTIED, 'text')})`,
  );
  return Number(row?.bytes);
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
