// The indexer on an RPC node with typical failures.
import { expect } from 'chai';
import type { Keypair } from '@solana/web3.js';
import type { Job } from '#app/db/jobs/job.js';
import { createIndexer } from '#app/index/indexer.js';
import { NO_HOOKS } from '#app/index/hooks.js';
import type { Tuning } from '#app/index/tuning.js';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { expectIndexOf, recordsOnChain } from '#tests/cluster/chain-records.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import { startRpcProxy, type RpcCall, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { eventually, finalize, testContext, untilIndexed } from '#tests/service/service.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

/** So small that a few dozen transactions make a long history. */
const TUNING: Tuning = { pageSize: 10, batchSize: 7, lookupTimeoutMs: 500 };
/** Enough trades for several pages. */
const TRADES = 33;

describe('the indexer on an unreliable RPC node', () => {
  const cluster = useCluster();
  let proxy: RpcProxy;
  let database: Database;
  let context: Context;
  let indexer: Job | undefined;
  let trader: Keypair;
  let token: Token;

  before(async function () {
    this.timeout(120_000);
    trader = await cluster().fundedWallet(500n * SOL);
    token = await launch(cluster());
    await trade(TRADES);
    await finalize(cluster());
  });

  beforeEach(async () => {
    proxy = await startRpcProxy(cluster().rpcUrl);
    database = await openTestDatabase();
    context = await testContext(cluster(), database, { RPC_URL: proxy.url, WS_URL: cluster().wsUrl });
  });

  afterEach(async () => {
    await indexer?.stop();
    await proxy.stop();
    await database.close();
  });

  async function trade(times: number): Promise<void> {
    for (let count = 0; count < times; count += 1) await buyTokens(cluster(), token, trader, SOL / 100n);
  }

  function start(): void {
    indexer = createIndexer(context, NO_HOOKS, TUNING);
    indexer.start();
  }

  /** Waits until the index holds every record of the chain. */
  async function expectAll(): Promise<void> {
    const expected = await recordsOnChain(cluster());
    await untilIndexed(context, { records: expected.length, finalized: TRADES + 1 });
    await expectIndexOf(database.queries, expected, { finalized: false });
  }

  it('reads a history of several pages', async () => {
    start();
    await expectAll();
  });

  it('waits while the node is down, and catches up afterwards', async () => {
    proxy.setDown(true);
    start();
    await eventually(
      async () => (await context.metrics.nodeErrors.get()).values[0]!.value > 1,
      'failed requests',
    );
    proxy.setDown(false);
    await expectAll();
    proxy.setDown(true);
    await trade(2);
    proxy.setDown(false);
    await expectAll();
  });

  it('retries requests that the node answers with an error or an invalid result', async () => {
    let answers = 0;
    proxy.rewrite((_call, result) => {
      answers += 1;
      return answers % 3 === 0 ? undefined : result;
    });
    start();
    await expectAll();
    expect(answers).to.be.above(TRADES);
  });

  it('skips no transaction that the node lists but cannot return yet', async () => {
    let refusals = 20;
    proxy.rewrite((call, result) => (call.method === 'getTransaction' && refusals-- > 0 ? null : result));
    start();
    await expectAll();
    expect(refusals).to.be.lessThan(0);
  });

  it('restarts the listing if the node does not know where it was interrupted', async () => {
    // The node lists the first page and then fails. Behind a load balancer, another node may answer afterwards.
    let pages = 0;
    proxy.rewrite((call, result) => {
      if (call.method !== 'getSignaturesForAddress') return result;
      pages += 1;
      return pages > 1 ? undefined : result;
    });
    start();
    await eventually(() => Promise.resolve(pages > 2), 'the listing to be interrupted');
    await indexer!.stop();
    let asked = false;
    const asksBefore = ({ params }: RpcCall) =>
      (params[1] as { before?: string } | undefined)?.before !== undefined;
    proxy.rewrite((call, result) => {
      if (call.method === 'getSignatureStatuses' && !asked) {
        asked = true;
        return { value: [null] };
      }
      // Such a node returns an empty list before a transaction that it does not know.
      return !asked && asksBefore(call) ? [] : result;
    });
    start();
    await expectAll();
    expect(asked).to.equal(true);
  });

  it('resumes after a restart in the middle of a long gap', async () => {
    for (let round = 0; round < 4; round += 1) {
      start();
      await eventually(
        () => Promise.resolve((proxy.calls.get('getTransaction') ?? 0) > 8 * (round + 1)),
        'some of the history to be read',
      );
      await indexer!.stop();
    }
    start();
    await expectAll();
  });

  it('polls when the websocket is down', async () => {
    const silent = await testContext(cluster(), database, { RPC_URL: proxy.url, WS_URL: 'ws://127.0.0.1:1' });
    indexer = createIndexer(silent, NO_HOOKS, TUNING);
    indexer.start();
    await expectAll();
    await trade(1);
    const expected = await recordsOnChain(cluster());
    await untilIndexed(context, { records: expected.length }, 2_000);
  });

  it('works with a node that refuses batch requests', async () => {
    // Surfpool refuses batches, so every test above reads call by call.
    start();
    await expectAll();
    expect(proxy.calls.get('getTransaction')).to.be.greaterThan(TRADES - 1);
  });
});
