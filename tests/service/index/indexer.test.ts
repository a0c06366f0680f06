import { expect } from 'chai'; // threat: altered-feed
import { SystemProgram, type Keypair } from '@solana/web3.js';
import { associatedTokenAddress, migrate, recordKey, sell } from '@curvekit/sdk';
import { checkCurves } from '#app/index/check.js';
import { reindex } from '#app/index/store/state.js';
import type { IndexHooks } from '#app/index/hooks.js';
import type { IdRange } from '#app/db/statements.js';
import type { Trade } from '#app/index/trades/trade.js';
import { indexerLag } from '#app/index/lag.js';
import type { Job } from '#app/db/jobs/leader-job.js';
import type { Context } from '#app/context.js';
import type { DatabaseConfig } from '#app/config/config.js';
import { openDatabase, statement, type Database, type Transaction } from '#app/db/database.js';
import { expectIndexOf, recordsOnChain } from '#tests/cluster/chain-records.js';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { recordsIn } from '#tests/node/following-indexer.js';
import { emptyDatabaseConfig } from '#tests/database/database.js';
import { eventually, finalize, startIndexer, testContext, untilIndexed } from '#tests/service/service.js';
import { buyTokens, launch, tokensOf, WHOLE_CURVE_LAMPORTS, type Token } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

/** Keeps the trades and the records that it gets. */
class Listener implements IndexHooks {
  readonly confirmed: Trade[] = [];
  readonly finalized: string[] = [];

  onConfirmedTrades(_tx: unknown, trades: readonly Trade[]): Promise<void> {
    this.confirmed.push(...trades);
    return Promise.resolve();
  }

  async onFinalized(tx: Transaction, range: IdRange): Promise<void> {
    this.finalized.push(...(await recordsIn(tx, range)).map(({ key }) => key));
  }
}

describe('the indexer', () => {
  const cluster = useKeyHeldCluster();
  const listener = new Listener();
  let database: Database;
  let where: DatabaseConfig;
  let context: Context;
  let indexer: Job;
  let trader: Keypair;
  let token: Token;

  before(async function () {
    this.timeout(120_000);
    where = await emptyDatabaseConfig();
    database = await openDatabase(where);
    await database.migrate();
    context = await testContext(cluster(), database);
    trader = await cluster().fundedWallet(200n * SOL);
    // Before the indexer starts, so that it must find these itself.
    token = await launch(cluster());
    await buyTokens(cluster(), token, trader, SOL);
    indexer = startIndexer(context, listener);
  });

  after(async () => {
    await indexer.stop();
    await database.close();
  });

  it('finds transactions from before it started', async () => {
    await untilIndexed(context, { records: 2 });
    await expectIndexOf(database.queries, await recordsOnChain(cluster()), { finalized: false });
  });

  it('shows a confirmed trade within two seconds', async () => {
    await buyTokens(cluster(), token, trader, SOL);
    await untilIndexed(context, { records: 3 }, 2_000);
    expect(listener.confirmed.at(-1)).to.include({
      mint: token.mint.toBase58(),
      solAmount: SOL,
      isBuy: true,
    });
  });

  it('books records once they are finalized, each once, in order', async function () {
    this.timeout(90_000);
    await finalize(cluster());
    await untilIndexed(context, { records: 3, finalized: 3 });
    const expected = await recordsOnChain(cluster());
    await expectIndexOf(database.queries, expected, { finalized: true });
    expect(listener.finalized).to.deep.equal(expected.map(recordKey));
  });

  it('indexes sells, the graduation and the migration, and ignores failed transactions', async () => {
    const { connection, deployment, feeReceiver } = cluster();
    const holding = await tokensOf(connection, associatedTokenAddress(trader.publicKey, token.mint).address);
    await cluster().send(
      sell({
        mint: token.mint,
        payer: trader.publicKey,
        tokenToSpend: holding / 2n,
        minSolToReceive: 0n,
        deployment,
      }),
      [trader],
    );
    await buyTokens(cluster(), token, trader, WHOLE_CURVE_LAMPORTS);
    const late = await buyTokens(cluster(), token, trader, SOL).catch((error: unknown) => error);
    expect(late).to.be.instanceOf(Error);
    await cluster().send(migrate({ mint: token.mint, deployment }), [feeReceiver]);
    const expected = await recordsOnChain(cluster());
    expect(expected.map(({ kind }) => kind)).to.deep.equal([
      'create',
      'trade',
      'trade',
      'trade',
      'trade',
      'migrate',
    ]);
    await untilIndexed(context, { records: expected.length });
    await expectIndexOf(database.queries, expected, { finalized: false });
  });

  it('indexes names that SQL must quote or that a text column cannot hold', async () => {
    await launch(cluster(), { name: `"\\{},'\n😀`, symbol: 'NULL', uri: '\0{"' });
    const expected = await recordsOnChain(cluster());
    await untilIndexed(context, { records: expected.length });
    await expectIndexOf(database.queries, expected, { finalized: false });
  });

  it('resumes after a restart where it stopped, across a gap', async function () {
    this.timeout(90_000);
    await indexer.stop();
    for (let count = 0; count < 5; count += 1) await launch(cluster());
    await finalize(cluster());
    await launch(cluster());
    indexer = startIndexer(context, listener);
    const expected = await recordsOnChain(cluster());
    await untilIndexed(context, { records: expected.length, finalized: expected.length - 1 });
    await expectIndexOf(database.queries, expected, { finalized: false });
    await finalize(cluster());
    await untilIndexed(context, { records: expected.length, finalized: expected.length });
    expect(listener.finalized).to.deep.equal(expected.map(recordKey));
  });

  it('is found correct by its check, even during trades', async () => {
    token = await launch(cluster());
    const trading = (async () => {
      for (let count = 0; count < 20; count += 1) await buyTokens(cluster(), token, trader, SOL / 100n);
    })();
    expect(await checkCurves(context)).to.deep.equal([]);
    expect(await checkCurves(context)).to.deep.equal([]);
    await trading;
    await untilIndexed(context, { records: (await recordsOnChain(cluster())).length });
    expect(await checkCurves(context)).to.deep.equal([]);
  });

  it('is reported by its check if a derived state is wrong, and corrected by a reindex', async () => {
    const mint = token.mint.toBase58();
    await statement(database.queries)`
      update curve_states set virtual_sol = virtual_sol + 1 where mint = ${mint}`;
    const [mismatch, ...others] = await checkCurves(context);
    expect(others).to.deep.equal([]);
    expect(mismatch).to.include({ mint });
    expect(mismatch!.derived.virtualSol).to.equal(mismatch!.onChain!.virtualSol + 1n);

    await reindex(database);
    // The reindexed records appear although no new transaction triggers the indexer.
    const expected = await recordsOnChain(cluster());
    await untilIndexed(context, { records: expected.length }, 10_000);
    await expectIndexOf(database.queries, expected, { finalized: false });
    expect(await checkCurves(context)).to.deep.equal([]);
  });

  it('is reported by its check if a curve does not exist on chain', async function () {
    this.timeout(60_000);
    const other = await launch(cluster());
    await untilIndexed(context, { records: (await recordsOnChain(cluster())).length });
    await cluster().setAccount(other.curve.address, {
      lamports: 0n,
      data: new Uint8Array(),
      owner: SystemProgram.programId,
    });
    const [mismatch, ...others] = await checkCurves(context);
    expect(others).to.deep.equal([]);
    expect(mismatch).to.deep.include({ mint: other.mint.toBase58(), onChain: null });
  });

  it('reports its lag', async () => {
    await eventually(async () => (await indexerLag(context)).slots <= 1, 'the lag to vanish');
    const { scannedSlot, finalizedSlot } = await indexerLag(context);
    expect(finalizedSlot - scannedSlot!).to.be.at.most(1);
    expect(await context.metrics.registry.metrics()).to.match(/^curvekit_indexer_lag_slots [01]$/m);
  });
});
