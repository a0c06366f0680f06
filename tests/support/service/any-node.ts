// An indexer on an RPC node whose every answer a test can change, with transactions that the indexer cannot parse.
import { Connection } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { indexerCheck, transactionsCheck } from '#app/checks.js';
import { IndexerEngine } from '#app/index/engine.js';
import { NO_HOOKS } from '#app/index/hooks.js';
import { NodeHistory } from '#app/index/node-history.js';
import { reindex } from '#app/index/reindex.js';
import { UnreadableRetry } from '#app/index/unreadable-retry.js';
import type { Tuning } from '#app/index/tuning.js';
import type { Context } from '#app/context.js';
import { rowsOf, type Database } from '#app/db/database.js';
import type { Check } from '#app/http/health.js';
import { createMetrics, type Metrics } from '#app/base/metrics.js';
import { expectIndexOf } from '#tests/cluster/chain-records.js';
import { openTestDatabase } from '#tests/database/database.js';
import { ForkingChain } from '#tests/node/forking-chain.js';
import { PartialNode } from '#tests/node/partial-node.js';
import { startScriptedNode, type ScriptedCall, type ScriptedNode } from '#tests/node/scripted-node.js';
import { contextFrom } from '#tests/service/service-context.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';

export const TUNING: Tuning = { pageSize: 10, batchSize: 7, lookupTimeoutMs: 300 };

/** New chain, node and engine for each test. */
interface World {
  database: Database;
  chain: ForkingChain;
  served: PartialNode;
  node: ScriptedNode;
  metrics: Metrics;
  history: NodeHistory;
  engine: IndexerEngine;
  logged: { readonly level: number; readonly msg: string }[];
  context: Context;
  transactions: Check;
}

/** Opens a database for the surrounding `describe`, and the rest before each of its tests. */
export function useAnyNode() {
  const at = {} as World;

  before(async () => {
    at.database = await openTestDatabase();
  });
  beforeEach(async () => {
    await reindex(at.database);
    // Each test has another chain.
    await at.database.queries.execute(sql`truncate indexer_state`);
    at.chain = new ForkingChain();
    at.served = new PartialNode(at.chain);
    at.served.isStrict = true;
    at.node = await startScriptedNode(at.served);
    at.metrics = createMetrics({ ofProcess: false });
    at.logged = [];
    at.context = {
      ...(await contextFrom({ RPC_URL: at.node.url, WS_URL: 'ws://127.0.0.1:1' }, at.database)),
      connection: new Connection(at.node.url),
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
    const fail = (error: unknown) => {
      throw error;
    };
    at.history = new NodeHistory(
      { rpcUrl: at.node.url, isSimulated: false },
      DEFAULT_DEPLOYMENT.programId.toBase58(),
      fail,
      TUNING,
    );
    at.engine = await IndexerEngine.open({
      database: at.database,
      history: at.history,
      deployment: DEFAULT_DEPLOYMENT,
      hooks: NO_HOOKS,
      logger,
      metrics: at.metrics,
      tuning: TUNING,
    });
  }

  /** Adds finalized blocks with one transaction each. Every `every`-th is a trade, the others leave no record. */
  function execute(blocks: number, every = 1): void {
    for (let count = 0; count < blocks; count += 1) {
      at.chain.execute(
        count % every === 0 ? [[{ kind: 'buy', token: 0, lamports: SOL / 100n }]] : [[{ kind: 'nothing' }]],
      );
    }
    at.chain.finalize(Infinity);
  }

  /** The newest finalized transaction. */
  const newest = () => at.chain.list('finalized', { limit: 1 })[0]!;

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
    const rows = await rowsOf<{ signature: string }>(
      at.database.queries,
      sql`select signature from records order by id`,
    );
    expect(rows.map(({ signature }) => signature)).to.deep.equal(expected.map(({ signature }) => signature));
    if (except.length === 0) await expectIndexOf(at.database.queries, expected, { finalized: true });
  }

  async function state(): Promise<{ scannedSlot: number; held: string | null }> {
    const [row] = await rowsOf<Awaited<ReturnType<typeof state>>>(
      at.database.queries,
      sql`select coalesce(scanned_slot, 0)::integer as "scannedSlot", held from indexer_state`,
    );
    return row!;
  }

  /** Expects the indexer to book nothing in several passes, and to log the problem once. */
  async function expectHold(problem: RegExp): Promise<void> {
    const records = async () =>
      rowsOf(at.database.queries, sql`select id::text from records where finalized order by id`);
    const before = await records();
    // The indexer needs one pass for each transaction from which the node refuses to list.
    for (let look = 0; look < 12 && !at.engine.isHeld; look += 1) await at.engine.book(NEVER_ABORTED);
    for (let look = 0; look < 2; look += 1) await at.engine.book(NEVER_ABORTED);
    expect(at.engine.isHeld).to.equal(true);
    expect((await state()).held).to.match(problem);
    expect(await records()).to.deep.equal(before);
    expect(at.logged.filter(({ level }) => level === pino.levels.values['error'])).to.have.lengthOf(1);
    expect(await failureOf(indexerCheck(at.context))).to.match(problem);
    expect(await gauge('curvekit_indexer_held')).to.equal(1);
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

  const isFetch = ({ method, params }: ScriptedCall, signature: string) =>
    method === 'getTransaction' && params[0] === signature;

  /** Retries the unreadable transactions, as if their time had come. */
  const lookAgain = () => new UnreadableRetry(at.context, at.history).run(NEVER_ABORTED);

  return {
    at,
    sink,
    openEngine,
    execute,
    newest,
    bookAll,
    expectAll,
    state,
    expectHold,
    failureOf,
    gauge,
    isFetch,
    lookAgain,
  };
}
