import { expect } from 'chai'; // threat: altered-feed
import { sql } from 'drizzle-orm';
import { SystemProgram, type Keypair } from '@solana/web3.js';
import { checkCurves } from '#app/index/check.js';
import { reindex } from '#app/index/reindex.js';
import type { Job } from '#app/db/jobs/job.js';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { expectIndexOf, recordsOnChain } from '#tests/cluster/chain-records.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import { startIndexer, testContext, untilIndexed } from '#tests/service/service.js';
import { buyTokens, launch, launchGraduated, type Token } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

describe('checkCurves', () => {
  const cluster = useCluster();
  let database: Database;
  let context: Context;
  let indexer: Job;
  let trader: Keypair;
  let token: Token;

  before(async function () {
    this.timeout(120_000);
    database = await openTestDatabase();
    context = await testContext(cluster(), database);
    trader = await cluster().fundedWallet(200n * SOL);
    token = await launch(cluster());
    await launch(cluster());
    await launchGraduated(cluster());
    await buyTokens(cluster(), token, trader, SOL);
    indexer = startIndexer(context);
    await untilIndexed(context, { records: (await recordsOnChain(cluster())).length });
  });

  after(async () => {
    await indexer.stop();
    await database.close();
  });

  it('reports nothing for a correct index, even during trades', async () => {
    const trading = (async () => {
      for (let count = 0; count < 20; count += 1) await buyTokens(cluster(), token, trader, SOL / 100n);
    })();
    expect(await checkCurves(context)).to.deep.equal([]);
    expect(await checkCurves(context)).to.deep.equal([]);
    await trading;
    await untilIndexed(context, { records: (await recordsOnChain(cluster())).length });
    expect(await checkCurves(context)).to.deep.equal([]);
  });

  it('reports a curve whose derived state is wrong, and reindexing corrects it', async () => {
    const mint = token.mint.toBase58();
    await database.queries.execute(
      sql`update curve_states set virtual_sol = virtual_sol + 1 where mint = ${mint}`,
    );
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

  it('reports a curve that does not exist on chain', async function () {
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
});
