// A curve that cannot graduate yet is a task, which says why.
import { expect } from 'chai';
import type { Keypair } from '@solana/web3.js';
import { AMM, communityWsolStorageAddress, poolAddress } from '@curvekit/sdk';
import { checkSoldOut } from '#app/operator/doctor/graduation-checks.js';
import type { Database } from '#app/db/database.js';
import { graduations } from '#app/graduation/waiting-tokens.js';
import { createMetrics } from '#app/base/metrics.js';
import { startService, type Service } from '#app/service.js';
import { waitingTasks } from '#app/db/retries/waiting.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { buyTokens, launch, WHOLE_CURVE_LAMPORTS } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';
import { clusterEnvironment, keyVariable } from '#tests/service/service-context.js';
import { eventually, testConfig } from '#tests/service/service.js';

/** Also on a busy machine. */
const MOST_MS = 20_000;

describe(`a curve that cannot graduate (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const cluster = useCluster();
  let payer: Keypair;
  let database: Database;
  let service: Service;

  before(async () => {
    payer = await cluster().fundedWallet(1_000_000n);
    database = await openTestDatabase();
    const config = testConfig(cluster(), {
      ...clusterEnvironment(cluster()),
      PORT: '0',
      SETTLEMENT_INTERVAL_SECONDS: '0',
      GRADUATION_PAYER_KEYPAIR: keyVariable(payer),
    });
    service = await startService(config, {
      overrides: { database, deployment: cluster().deployment, metrics: createMetrics({ ofProcess: false }) },
    });
  });
  after(() => service?.stop());

  it('says why, rests, and is tried again when an operator wants it', async () => {
    const token = await launch(cluster());
    await buyTokens(cluster(), token, cluster().payer, WHOLE_CURVE_LAMPORTS);
    const task = async () => (await waitingTasks(database.queries, 'graduation', 10))[0];
    await eventually(async () => (await task()) !== undefined, 'the task', MOST_MS);
    const { subject, attempts, problem, dueAt } = (await task())!;
    expect([subject, attempts]).to.deep.equal([token.mint.toBase58(), 1]);
    expect(problem).to.match(/the cluster refuses the graduation of \S+: .*: the wallet has too little SOL$/);
    expect(dueAt.getTime()).to.be.above(Date.now());

    await cluster().fund(payer.publicKey, 20_000_000n);
    await database.transaction((tx) => graduations.wake(tx, Date.now()));
    const pool = poolAddress(token.mint, cluster().deployment).address;
    await eventually(
      async () => (await cluster().connection.getAccountInfo(pool))?.owner.equals(AMM.programId) === true,
      'the pool',
      MOST_MS,
    );
    await eventually(async () => (await task()) === undefined, 'the end of the task');
  });

  it('names the storage and the lamports that it waits for, in the task and in doctor', async () => {
    const token = await launch(cluster(), { afterMigrationFee: 25 });
    const { connection, deployment } = cluster();
    const storage = communityWsolStorageAddress(token.mint, deployment).address;
    // As after a raise of the rent that is larger than the community's share: wrapped SOL without its lamports.
    const { data, lamports } = (await connection.getAccountInfo(storage))!;
    const wrapped = Buffer.from(data);
    wrapped.writeBigUInt64LE(SOL, 64);
    await cluster().setAccount(storage, { data: wrapped });
    await buyTokens(cluster(), token, cluster().payer, WHOLE_CURVE_LAMPORTS);
    const mint = token.mint.toBase58();
    const task = async () =>
      (await waitingTasks(database.queries, 'graduation', 10)).find(({ subject }) => subject === mint);
    await eventually(async () => (await task()) !== undefined, 'the task', MOST_MS);
    // 1 SOL less 0.25 % of 84.96 SOL.
    expect((await task())!.problem).to.contain(
      `waits for 0.787589286 SOL at ${storage.toBase58().slice(0, 8)}…`,
    );
    const parts = { config: testConfig(cluster()), connection, deployment };
    const [found] = await checkSoldOut(parts, database);
    expect([found?.state, found?.fix]).to.deep.equal([
      'failure',
      `send 0.787589286 SOL to ${storage.toBase58()}; any wallet can`,
    ]);

    await cluster().setAccount(storage, { lamports: BigInt(lamports) + 787_589_286n });
    await database.transaction((tx) => graduations.wake(tx, Date.now()));
    await eventually(async () => (await task()) === undefined, 'the end of the task', MOST_MS);
    expect((await checkSoldOut(parts, database))[0]?.state).to.equal('ok');
  });
});
