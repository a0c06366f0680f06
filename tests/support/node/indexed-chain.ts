// The indexer's engine on an RPC node that serves a model chain, with the faults that a test gives it.
import { Connection } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { indexerCheck, transactionsCheck } from '#app/checks.js';
import { IndexerEngine, type EngineParts } from '#app/index/engine.js';
import type { YellowstoneSource } from '#app/index/feed/yellowstone.js';
import { NO_HOOKS } from '#app/index/hooks.js';
import { NodeHistory } from '#app/index/node-history.js';
import { reindex } from '#app/index/store/state.js';
import type { Tuning } from '#app/index/tuning.js';
import type { Context } from '#app/context.js';
import { statement, type Database } from '#app/db/database.js';
import type { Check } from '#app/http/health.js';
import { createMetrics, type Metrics } from '#app/base/metrics.js';
import { expectIndexOf } from '../cluster/chain-records.js';
import { NEVER_ABORTED, SOL } from '../constants.js';
import { openTestDatabase } from '../database/database.js';
import { contextFrom } from '../service/service-context.js';
import { ForkingChain, type Intent } from './forking-chain.js';
import { PartialNode } from './partial-node.js';
import type { FakeNode } from './fake-node.js';

export const TUNING: Tuning = { pageSize: 10, batchSize: 7, wholeBlockFrom: 5, lookupTimeoutMs: 500 };

/** New chain, node and engine for each test. */
export interface IndexedChain {
  database: Database;
  chain: ForkingChain;
  served: PartialNode;
  node: FakeNode;
  metrics: Metrics;
  history: NodeHistory;
  engine: IndexerEngine;
  logged: { readonly level: number; readonly msg: string }[];
  context: Context;
  transactions: Check;
}

/** Opens a database for the surrounding `describe`, and the rest before each of its tests. */
export function useIndexedChain() {
  const at = {} as IndexedChain;

  before(async () => (at.database = await openTestDatabase()));
  beforeEach(async () => {
    await reindex(at.database);
    // Each test has another chain.
    await at.database.queries.execute(sql`truncate indexer_state`);
    at.chain = new ForkingChain();
    at.served = new PartialNode(at.chain);
    at.node = await at.served.start();
    at.metrics = createMetrics({ ofProcess: false });
    at.logged = [];
    const environment = { RPC_URL: at.node.url, WS_URL: 'ws://127.0.0.1:1', INDEXER_POLL_MS: '100' };
    at.context = {
      ...(await contextFrom(environment, at.database)),
      connection: new Connection(at.node.url, 'confirmed'),
      logger,
      metrics: at.metrics,
    };
    at.transactions = transactionsCheck(at.context);
    await openEngine();
    at.chain.execute([[{ kind: 'create' }]]);
  });
  afterEach(() => at.node.stop());
  after(() => at.database.close());

  const sink = {
    write: (line: string) => void at.logged.push(JSON.parse(line) as (typeof at.logged)[number]),
  };
  const logger = pino({ level: 'trace' }, sink);

  /** Opens the engine, as the indexer does when it becomes the leader. */
  async function openEngine(): Promise<void> {
    at.engine = await engineOn(at.database);
  }

  async function engineOn(
    database: Database,
    source?: YellowstoneSource,
    hooks: EngineParts['hooks'] = NO_HOOKS,
  ): Promise<IndexerEngine> {
    const fail = (error: unknown) => {
      throw error;
    };
    const [node, program] = [
      { rpcUrl: at.node.url, isSimulated: false },
      DEFAULT_DEPLOYMENT.programId.toBase58(),
    ];
    at.history = new NodeHistory(node, program, fail, TUNING, source);
    return IndexerEngine.open({
      ...{ database, history: at.history, deployment: DEFAULT_DEPLOYMENT, hooks },
      ...{ logger, metrics: at.metrics, tuning: TUNING, ...(source && { source }) },
    });
  }

  /** Adds finalized blocks. Every `every`-th has a trade, the others have a transaction without a record. */
  function execute(
    blocks: number,
    every = 1,
    others: readonly (readonly Intent[])[] = [[{ kind: 'nothing' }]],
  ): void {
    for (let count = 0; count < blocks; count += 1)
      at.chain.execute(count % every === 0 ? [[{ kind: 'buy', token: 0, lamports: SOL / 100n }]] : others);
    at.chain.finalize(Infinity);
  }

  const newest = () => at.chain.list('finalized')[0]!;

  async function bookAll(): Promise<void> {
    for (let look = 0; look < 50; look += 1) {
      await at.engine.book(NEVER_ABORTED);
      if (at.engine.isCurrent && (await state()).scannedSlot === at.chain.slot('finalized')) return;
    }
    throw new Error('the index does not get to the tip in 50 looks');
  }

  /** Expects everything except the transactions with these signatures to be booked, once and in order. */
  async function expectAll(...except: readonly string[]): Promise<void> {
    expect(at.engine.isHeld).to.equal(false);
    const expected = at.chain.records().filter(({ signature }) => !except.includes(signature));
    const rows = await statement<{ signature: string }>(at.database.queries)`
      select signature from records order by id`;
    expect(rows.map(({ signature }) => signature)).to.deep.equal(expected.map(({ signature }) => signature));
    if (except.length === 0) await expectIndexOf(at.database.queries, expected, { finalized: true });
  }

  async function state() {
    const [row] = await statement<{ scannedSlot: number; held: string | null; records: number }>(
      at.database.queries,
    )`
      select coalesce(scanned_slot, 0)::integer as "scannedSlot", held,
      (select count(*) from records where finalized)::integer as records from indexer_state`;
    return row!;
  }

  const linesOf = (level: 'warn' | 'error') =>
    at.logged.filter((line) => line.level === pino.levels.values[level]);

  /** Expects the indexer to book nothing in several passes, to log the problem once, and to report it. */
  async function expectHold(problem: RegExp): Promise<void> {
    const { records } = await state();
    const errors = linesOf('error').length;
    // The indexer needs one pass for each transaction from which the node refuses to list.
    for (let look = 0; look < 12 && !at.engine.isHeld; look += 1) await at.engine.book(NEVER_ABORTED);
    for (let look = 0; look < 2; look += 1) await at.engine.book(NEVER_ABORTED);
    expect(at.engine.isHeld).to.equal(true);
    expect(await state()).to.include({ records });
    expect((await state()).held).to.match(problem);
    expect(linesOf('error')).to.have.lengthOf(errors + 1);
    expect(await failureOf(indexerCheck(at.context))).to.match(problem);
    expect(await gauge('curvekit_indexer_held')).to.equal(1);
  }

  /** Expects the indexer to continue by itself once the node has no fault. */
  async function expectGoesOn(): Promise<void> {
    Object.assign(at.served, { has: () => true, instead: () => undefined });
    await bookAll();
    await expectAll();
    expect(await failureOf(indexerCheck(at.context))).to.equal('ok');
  }

  async function failureOf({ run }: Check): Promise<string> {
    return run().then(
      () => 'ok',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  }

  async function gauge(name: string): Promise<number | undefined> {
    const metric = (await at.metrics.registry.getMetricsAsJSON()).find((each) => each.name === name);
    return metric?.values[0]?.value;
  }

  return {
    ...{ at, sink, openEngine, engineOn, execute, newest, bookAll, expectAll, state, linesOf },
    ...{ expectHold, expectGoesOn, failureOf, gauge },
  };
}
