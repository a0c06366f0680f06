// The indexer on a real validator that restarts and prunes its ledger. threat: unreliable-node
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { indexerCheck } from '#app/checks.js';
import type { Job } from '#app/db/jobs/leader-job.js';
import { createIndexer } from '#app/index/indexer.js';
import { NO_HOOKS } from '#app/index/hooks.js';
import type { Context } from '#app/context.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { callRpc } from '#testing/json-rpc.js';
import { recordsOnChain } from '#tests/cluster/chain-records.js';
import { openTestDatabase } from '#tests/database/database.js';
import { PruningValidator } from '#tests/cluster/pruning-validator.js';
import { eventually, testContext } from '#tests/service/service.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

/** The validator prunes after thousands of slots, which a busy machine makes slowly. */
const RESTARTS = 5;
const PRUNED_MS = 60_000;

describe('the indexer on a validator that prunes its ledger', function () {
  this.timeout(500_000);
  let validator: PruningValidator;
  let cluster: LocalCluster;
  let token: Token;
  const open: { readonly database: Database; readonly job: Job | undefined }[] = [];

  before(async () => {
    validator = await PruningValidator.start();
    cluster = await startLocalCluster({
      backend: validator.rpcUrl,
      wsUrl: validator.wsUrl,
      payer: validator.payer,
      // It has neither the graduation program nor an AMM.
      graduation: false,
    });
    token = await launch(cluster);
  });
  after(async () => {
    for (const { database, job } of open) {
      await job?.stop();
      await database.close();
    }
    await cluster?.stop();
    await validator?.stop();
  });

  async function index(): Promise<{ context: Context; job: Job }> {
    const database = await openTestDatabase();
    const context = await testContext(cluster, database);
    const job = createIndexer(context, NO_HOOKS);
    open.push({ database, job });
    job.start();
    return { context, job };
  }

  /** Only blocks in files are pruned, and the validator writes those when it stops: sometimes too few for the limit. */
  async function untilPruned(slot: number): Promise<void> {
    for (let restarts = 1; ; restarts += 1) {
      await validator.restart();
      const isPruned = async () => (await validator.firstBlock()) > slot;
      try {
        return await eventually(isPruned, 'the ledger to be pruned', PRUNED_MS);
      } catch (error) {
        if (restarts === RESTARTS) throw error;
      }
    }
  }

  const keysIn = async ({ database }: Context) =>
    (
      await rowsOf<{ key: string }>(
        database.queries,
        sql`select concat(signature, ':', "outer", ':', "inner") as key from records where finalized order by id`,
      )
    ).map(({ key }) => key);

  const keysOnChain = async () =>
    (await recordsOnChain(cluster)).map(
      ({ signature, position }) => `${signature}:${position.outer}:${position.inner}`,
    );

  const ready = (context: Context) =>
    indexerCheck(context)
      .run()
      .then(
        () => 'ok',
        (error: Error) => error.message,
      );

  it('continues when it had stored every record before the pruning, and otherwise reports the gap', async () => {
    const steady = await index();
    await buyTokens(cluster, token, cluster.payer, SOL);
    const first = await keysOnChain();
    const behind = await index();
    const untilBooked = (context: Context, keys: readonly string[]) =>
      eventually(
        async () => (await keysIn(context)).length >= keys.length,
        'the records to be booked',
        60_000,
      );
    await untilBooked(steady.context, first);
    await untilBooked(behind.context, first);
    await behind.job.stop();
    // The stopped indexer does not see this trade before the node prunes it.
    const missed = await buyTokens(cluster, token, cluster.payer, SOL);
    const all = await keysOnChain();
    await untilBooked(steady.context, all);

    await untilPruned(missed.slot);
    const asked = await callRpc(validator.rpcUrl, 'getSignaturesForAddress', [
      cluster.programId.toBase58(),
      { until: missed.signature },
    ]).catch((error: Error) => error.message);
    expect(asked).to.match(/-32020|not found/);

    const late = await buyTokens(cluster, token, cluster.payer, SOL);
    await eventually(
      async () => (await keysIn(steady.context)).some((key) => key.startsWith(late.signature)),
      'the trade after the pruning',
      60_000,
    );
    expect((await keysIn(steady.context)).slice(0, all.length)).to.deep.equal(all);
    expect(await keysIn(steady.context)).to.have.lengthOf(all.length + 1);
    expect(await ready(steady.context)).to.equal('ok');

    const job = createIndexer(behind.context, NO_HOOKS);
    open.push({ database: behind.context.database, job });
    job.start();
    await eventually(
      async () => /^waits: the node lacks blocks between slots/.test(await ready(behind.context)),
      'the reason in /ready',
      30_000,
    );
    expect(await ready(behind.context)).to.match(/set RPC_URL to a node with full history$/);
    expect(await keysIn(behind.context)).to.deep.equal(first);
    await job.stop();
  });
});
