// The indexer's engine on a gRPC feed and an RPC node of one chain, and the index that the RPC node alone gives.
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { IndexerEngine } from '#app/index/engine.js';
import { YellowstoneSource } from '#app/index/feed/yellowstone.js';
import { NO_HOOKS } from '#app/index/hooks.js';
import { NodeHistory } from '#app/index/node-history.js';
import { reindex } from '#app/index/reindex.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { marketHooks } from '#app/market/hooks.js';
import { createMetrics, type Metrics } from '#app/base/metrics.js';
import { expectIndexOf } from '../cluster/chain-records.js';
import { NEVER_ABORTED, SOL } from '../constants.js';
import { openTestDatabase } from '../database/database.js';
import { eventually } from '../service/service.js';
import { ForkingChain, type Intent } from './forking-chain.js';
import { TUNING } from './indexed-chain.js';
import { PartialNode } from './partial-node.js';
import { startScriptedNode, type ScriptedNode } from './scripted-node.js';
import { confirmed, sent, startYellowstone, type YellowstoneServer } from './yellowstone-server.js';

export const TOKEN = 'a-secret-of-the-feed';
const TIMES = { silenceMs: 3_000, firstRetryMs: 20, longestRetryMs: 50 };
/** Three transactions of a block. */
export const BUYS: readonly (readonly Intent[])[] = [
  [{ kind: 'buy', token: 0, lamports: SOL / 100n }],
  [{ kind: 'sell', token: 0, units: 1_000_000n }],
  [
    { kind: 'buy', token: 0, lamports: SOL / 50n },
    { kind: 'buy', token: 0, lamports: SOL / 25n },
  ],
];

/** What the feed sends of a block. */
export type Updates = ReturnType<typeof sent>[];

export function useFedIndexer() {
  const at = {
    /** Transactions that the RPC node was asked for. */
    asked: [] as string[],
    /** Lists that it was asked for. */
    listed: 0,
    log: '',
    chain: new ForkingChain(),
  } as {
    asked: string[];
    listed: number;
    log: string;
    /** Slot that the RPC node tells, if not its own. */
    tip?: number | undefined;
    chain: ForkingChain;
    feed: YellowstoneServer;
    engine: IndexerEngine;
    database: Database;
  };
  let byNode: Database;
  let node: ScriptedNode;
  let metrics: Metrics;
  let source: YellowstoneSource | undefined;
  /** Subscriptions that the test has waited for. */
  let met: number;

  before(async () => {
    [at.database, byNode] = await Promise.all([openTestDatabase(), openTestDatabase()]);
  });
  beforeEach(async () => {
    for (const each of [at.database, byNode]) {
      await reindex(each);
      await each.queries.execute(sql`truncate indexer_state restart identity`);
    }
    at.chain = new ForkingChain();
    const served = new PartialNode(at.chain);
    served.isStrict = true;
    [at.asked, at.listed, at.log] = [[], 0, ''];
    at.tip = undefined;
    served.instead = ({ method, params }) => {
      if (method === 'getSlot' && at.tip !== undefined) return { result: at.tip };
      if (method === 'getTransaction') at.asked.push(params[0] as string);
      if (method === 'getSignaturesForAddress') at.listed += 1;
      return undefined;
    };
    node = await startScriptedNode(served);
    at.feed = await startYellowstone(TOKEN);
    metrics = createMetrics({ ofProcess: false });
    at.chain.execute([[{ kind: 'create' }]]);
    at.chain.finalize(Infinity);
    met = 0;
    await open();
    await at.engine.book(NEVER_ABORTED);
    await joined();
    at.asked = [];
  });
  afterEach(async () => {
    source?.stop();
    at.feed.stop();
    await node.stop();
  });
  after(() => Promise.all([at.database.close(), byNode.close()]));

  /** Opens the indexer's at.engine, as after a start of the service. */
  async function open({ most = 1_000, token = TOKEN } = {}): Promise<void> {
    source?.stop();
    const logger = pino({ level: 'trace' }, { write: (line: string) => void (at.log += line) });
    const address = { url: at.feed.url, token };
    source = new YellowstoneSource({ deployment: DEFAULT_DEPLOYMENT, logger, metrics }, address, {
      intervalMs: 50,
      times: TIMES,
      most,
    });
    at.engine = await engineOn(at.database, source);
  }

  function engineOn(on: Database, by?: YellowstoneSource): Promise<IndexerEngine> {
    const fail = (error: unknown) => {
      throw error;
    };
    const programId = DEFAULT_DEPLOYMENT.programId.toBase58();
    return IndexerEngine.open({
      database: on,
      history: new NodeHistory({ rpcUrl: node.url, isSimulated: false }, programId, fail, TUNING, by),
      deployment: DEFAULT_DEPLOYMENT,
      hooks: by === undefined ? NO_HOOKS : [marketHooks],
      logger: pino({ level: 'silent' }),
      metrics,
      tuning: TUNING,
      ...(by === undefined ? {} : { source: by }),
    });
  }

  /** Waits for a subscription, and lets the indexer go on from the RPC node's list to the at.feed. */
  async function joined(): Promise<void> {
    await reached();
    await at.engine.preview(NEVER_ABORTED);
    await at.engine.preview(NEVER_ABORTED);
  }

  async function reached(): Promise<void> {
    await eventually(
      () => Promise.resolve(at.feed.open === 1 && at.feed.subscriptions > met),
      'a subscription',
    );
    met = at.feed.subscriptions;
    await told(at.chain.slot('confirmed'));
  }

  /** Confirms a slot, and waits until the at.feed has told the indexer. */
  async function told(slot: number): Promise<void> {
    const isTold = () => {
      at.feed.send(confirmed(slot));
      return Promise.resolve((source!.newest() ?? 0) >= slot);
    };
    await eventually(isTold, `slot ${slot} of the feed`);
  }

  /** The transactions of the newest slot as the at.feed sends them. */
  function newest() {
    const slot = at.chain.slot('confirmed');
    return at.chain
      .list('confirmed', { limit: 100 })
      .filter((one) => one.slot === slot && one.err === null)
      .reverse()
      .map(({ signature }, index) => sent(at.chain.transaction(signature, 'confirmed')!, index));
  }

  /** Adds a block of trades, and sends what `change` makes of it. */
  async function trade(
    change: (updates: ReturnType<typeof newest>) => ReturnType<typeof newest> = (all) => all,
  ) {
    at.chain.execute(BUYS);
    for (const update of change(newest())) at.feed.send(update);
    await told(at.chain.slot('confirmed'));
    await at.engine.preview(NEVER_ABORTED);
  }

  /** The index shows the whole confirmed at.chain; then everything is finalized and booked as the RPC node alone would. */
  async function expectSame(): Promise<void> {
    await at.engine.preview(NEVER_ABORTED);
    await expectIndexOf(at.database.queries, at.chain.records(), { finalized: false });
    await expectBooked();
  }

  async function expectBooked(): Promise<void> {
    at.chain.finalize(Infinity);
    await at.engine.book(NEVER_ABORTED);
    await expectIndexOf(at.database.queries, at.chain.records(), { finalized: true });
    const before = [...at.asked];
    const alone = await engineOn(byNode);
    await alone.book(NEVER_ABORTED);
    at.asked = before;
    expect(await rowsIn(at.database)).to.deep.equal(await rowsIn(byNode));
    expect((await metrics.indexerGaps.get()).values[0]!.value).to.equal(0);
  }

  /** Everything but the ids, which have gaps after a reorg. */
  const rowsIn = async (of: Database) => [
    await rowsOf(
      of.queries,
      sql`select signature, "outer", "inner", slot, kind, finalized from records order by id`,
    ),
    await rowsOf(
      of.queries,
      sql`select mint, status, virtual_sol, virtual_token, buys, sells, sol_paid, fees from curve_states order by mint`,
    ),
  ];

  const valueOf = async (counter: Metrics['feedTransactions' | 'feedDisconnects'], label: string) =>
    (await counter.get()).values.find(({ labels }) => Object.values(labels).includes(label))?.value ?? 0;

  return Object.assign(at, {
    ...{ open, joined, reached, told, newest, trade, expectSame, expectBooked },
    /** Transactions of the feed with an outcome. */
    count: (outcome: string) => valueOf(metrics.feedTransactions, outcome),
    /** Waits until a connection has ended for a reason. @param again called until then */
    untilEnd: (reason: string, again: () => void = () => undefined) =>
      eventually(async () => {
        again();
        return (await valueOf(metrics.feedDisconnects, reason)) > 0;
      }, `a connection that ends: ${reason}`),
    isDown: async () => (await metrics.feedDown.get()).values[0]!.value === 1,
  });
}
