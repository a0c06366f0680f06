// Automatic graduation, and the service around it: its job, its commands, the amounts it books and pays.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NATIVE_MINT } from '@solana/spl-token';
import { expect } from 'chai';
import { ComputeBudgetProgram, type Keypair } from '@solana/web3.js';
import {
  AMM,
  associatedTokenAddress,
  communityTokenStorageAddress,
  communityWsolStorageAddress,
  fetchCurveState,
  graduate,
  GRADUATE_COMPUTE_UNITS,
  GRADUATION_VIRTUAL_TOKEN,
  poolAddress,
  quoteBuyExactOut,
} from '@curvekit/sdk';
import { statement, type Database } from '#app/db/database.js';
import { unfundedRewards } from '#app/claims/cover.js';
import { graduateToken } from '#app/graduation/graduate-token.js';
import { credit } from '#app/ledger/credit.js';
import { migrateToken } from '#app/graduation/migration/migrate-token.js';
import { type Service } from '#app/service.js';
import { graduations } from '#app/graduation/waiting-tokens.js';
import { checkSoldOut } from '#app/operator/doctor/graduation-checks.js';
import { waitingTasks } from '#app/db/retries/tasks.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';
import { DATABASE_KIND, openTestDatabase, openPaymentsGate } from '#tests/database/database.js';
import { buyTokens, launch, tokensOf, WHOLE_CURVE_LAMPORTS, type Token } from '#tests/program/tokens.js';
import { createCli } from '#tests/service/cli.js';
import { ledgerProblems } from '#tests/service/rewards.js';
import { clusterEnvironment, keyVariable, whileFinalizing } from '#tests/service/service-context.js';
import { eventually, finalize, testConfig } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';
import { localSigner } from '#app/keys/local-signer.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

/** From the last buy to the pool, also on a busy machine. It takes three seconds on an idle one. */
const MOST_MS = 20_000;
const PAYER_LAMPORTS = 20_000_000n;
/** Base units that a griefer once left above the reserve. */
const DUST = 696n;

describe(`automatic graduation and the service (${DATABASE_KIND})`, () => {
  const cluster = useCluster();
  let database: Database;
  let service: Service;
  let payer: Keypair;

  async function start(environment: Record<string, string> = {}): Promise<void> {
    const own = {
      ...clusterEnvironment(cluster()),
      TREASURY_KEYPAIR: keyVariable(cluster().feeReceiver),
      SETTLEMENT_INTERVAL_SECONDS: '0',
      GRADUATION_PAYER_KEYPAIR: keyVariable(payer),
    };
    const options = { fundingIntervalMs: 200, overrides: { database } };
    service = await startTestService(cluster(), { ...own, ...environment }, options);
  }

  before(async () => {
    payer = await cluster().fundedWallet(PAYER_LAMPORTS);
    database = await openTestDatabase();
    await start();
  });
  after(() => service.stop());

  const trade = (token: Token, solToSpend: bigint) =>
    buyTokens(cluster(), token, cluster().payer, solToSpend);
  const poolOf = ({ mint }: Token) => poolAddress(mint, cluster().deployment).address;
  const hasPool = async (token: Token) =>
    (await cluster().connection.getAccountInfo(poolOf(token)))?.owner.equals(AMM.programId) === true;
  const graduationOf = async ({ mint }: Token) => {
    const [row] = await statement<Record<string, string>>(database.queries)`
      select pool, community_sol, community_token, pool_sol, burnt from graduations where mint = ${mint.toBase58()}`;
    return row;
  };
  const storages = ({ mint }: Token) => [
    communityWsolStorageAddress(mint, cluster().deployment).address,
    communityTokenStorageAddress(mint, cluster().deployment).address,
  ];

  it('creates the pool of a sold-out curve at once, and pays only the network fee', async () => {
    const token = await launch(cluster(), { afterMigrationFee: 500 });
    await trade(token, 1_000_000_000n);
    const before = await lamportsOf(cluster().connection, payer.publicKey);
    await trade(token, WHOLE_CURVE_LAMPORTS);
    await eventually(() => hasPool(token), 'the pool', MOST_MS);
    expect(Number(before - (await lamportsOf(cluster().connection, payer.publicKey)))).to.be.below(10_000);

    await eventually(async () => (await graduationOf(token)) !== undefined, 'the record in the index');
    const [wsol, tokens] = storages(token);
    expect(await graduationOf(token)).to.deep.include({
      pool: poolOf(token).toBase58(),
      community_sol: String(await tokensOf(cluster().connection, wsol!)),
      community_token: String(await tokensOf(cluster().connection, tokens!)),
    });
    await finalize(cluster());
    expect(await ledgerProblems(database)).to.deep.equal([]);
  });

  it('does nothing when a stranger has graduated the curve first', async () => {
    await service.stop();
    database = await openTestDatabase();
    const token = await launch(cluster());
    await trade(token, WHOLE_CURVE_LAMPORTS);
    const stranger = await cluster().fundedWallet(PAYER_LAMPORTS);
    const { deployment } = cluster();
    await cluster().send(
      [
        ComputeBudgetProgram.setComputeUnitLimit({ units: GRADUATE_COMPUTE_UNITS }),
        ...graduate({ mint: token.mint, payer: stranger.publicKey, deployment }),
      ],
      [stranger],
    );
    expect(await graduateToken(cluster(), localSigner(payer), token.mint)).to.equal(undefined);
    await start();
    await eventually(async () => (await graduationOf(token)) !== undefined, 'the record in the index');
    const waiting = await service.context.metrics.registry.getSingleMetricAsString(
      'curvekit_graduations_waiting',
    );
    expect(waiting).to.match(/^curvekit_graduations_waiting 0$/m);
  });

  it('buys the dust that a stranger left above the reserve, and keeps none of it', async () => {
    const token = await launch(cluster());
    const state = async () =>
      (await fetchCurveState(cluster().connection, token.mint, { deployment: cluster().deployment }))!;
    const all = (await state()).virtualToken - GRADUATION_VIRTUAL_TOKEN;
    const { solToSpend } = quoteBuyExactOut(await state(), all - DUST);
    await trade(token, solToSpend);
    const left = (await state()).virtualToken - GRADUATION_VIRTUAL_TOKEN;
    // The lowest price that buys this amount may buy a little more.
    expect(left > 0n && left <= DUST, `${left} units are left`).to.equal(true);
    const before = await lamportsOf(cluster().connection, payer.publicKey);
    await eventually(() => hasPool(token), 'the pool', 20_000);
    const account = associatedTokenAddress(payer.publicKey, token.mint).address;
    expect(await cluster().connection.getAccountInfo(account)).to.equal(null);
    expect(Number(before - (await lamportsOf(cluster().connection, payer.publicKey)))).to.be.below(120_000);
  });

  it('never pays the community twice: `migrate` reports what the graduation paid', async () => {
    const token = await launch(cluster(), { afterMigrationFee: 200 });
    await trade(token, WHOLE_CURVE_LAMPORTS);
    await eventually(() => hasPool(token), 'the pool', 10_000);
    await finalize(cluster());
    const before = await Promise.all(storages(token).map((each) => tokensOf(cluster().connection, each)));
    const feeReceiver = localSigner(cluster().feeReceiver);
    const config = { ...service.context.config, feeReceiver };
    await openPaymentsGate(database);
    const report = await migrateToken({ ...service.context, config }, token.mint, { signal: NEVER_ABORTED });
    expect(report.transactions).to.deep.equal([]);
    expect(report.contributed).to.deep.equal({ sol: before[0], token: before[1] });
    expect(
      await Promise.all(storages(token).map((each) => tokensOf(cluster().connection, each))),
    ).to.deep.equal(before);
  });

  it('`graduate` and `fees sweep` each act once, and explain a refusal', async () => {
    const environment = clusterEnvironment(cluster());
    const cli = await createCli({ ...environment, GRADUATION_PAYER_KEYPAIR: keyVariable(payer) });
    const folder = temporaryFolder('keys');
    const fileOf = async (name: string, key: Keypair) => {
      const path = join(folder, name);
      await writeFile(path, keyVariable(key));
      return path;
    };
    atEnd(() => cli.close());
    await service.stop();
    const token = await launch(cluster());
    const mint = token.mint.toBase58();
    await trade(token, 1_000_000_000n);
    const early = await cli.run(['graduate', mint]);
    expect(early).to.deep.include({ exitCode: 1 });
    expect(early.err).to.contain('has not graduated yet');
    await trade(token, WHOLE_CURVE_LAMPORTS);
    const done = await cli.json<{ pool: string; signature: string | null }>(['graduate', mint]);
    expect(done.pool).to.equal(poolOf(token).toBase58());
    expect(done.signature).to.be.a('string');
    expect((await cli.run(['graduate', mint])).out).to.contain('nothing was left to do');
    const unknown = await cli.run(['graduate', payer.publicKey.toBase58()]);
    expect(unknown.err).to.contain('is not a token of this launchpad');

    const stranger = await fileOf('stranger.json', await cluster().fundedWallet(PAYER_LAMPORTS));
    const refused = await cli.run(['fees', 'sweep', '--admin', stranger]);
    expect(refused.exitCode).to.equal(1);
    expect(refused.err).to.contain('the cluster refuses to sweep the fees').and.to.contain('admin');
    const admin = await fileOf('admin.json', cluster().admin);
    const { treasury } = cluster().deployment.graduation;
    const before = await lamportsOf(cluster().connection, treasury);
    const swept = await cli.json<{ held: string }>(['fees', 'sweep', '--admin', admin]);
    expect(await lamportsOf(cluster().connection, treasury)).to.equal(before + BigInt(swept.held));
    expect((await cli.run(['fees', 'sweep', '--admin', admin])).out).to.contain('nothing was left to sweep');
  });

  it('sweeps fees when referral rewards need them, and books them as their cover', async () => {
    database = await openTestDatabase();
    await trade(await launch(cluster()), 2_000_000_000n);
    const reward = 5_000_000n;
    await database.transaction((tx) =>
      credit(tx, 'referral', {
        ...{ key: 'test', mint: NATIVE_MINT.toBase58(), asset: 'SOL' },
        credits: [{ wallet: payer.publicKey.toBase58(), amount: reward }],
      }),
    );
    expect(await unfundedRewards(database.queries)).to.equal(reward);
    await start({ ADMIN_KEYPAIR: keyVariable(cluster().admin) });
    await whileFinalizing(cluster(), () =>
      eventually(async () => (await unfundedRewards(database.queries)) === 0n, 'the fees', 60_000),
    );
    expect(await ledgerProblems(database)).to.deep.equal([]);
  });

  it('`doctor` reports each graduation finding', async () => {
    const treasury = keyVariable(cluster().feeReceiver);
    const cli = await createCli({ ...clusterEnvironment(cluster()), TREASURY_KEYPAIR: treasury });
    atEnd(() => cli.close());
    await cli.run(['migrate-db']);
    const states = async (changes: Record<string, string> = {}) => {
      const { out } = await cli.run(['doctor', '--json'], changes);
      const { findings } = JSON.parse(out) as {
        findings: { subject: string; state: string; detail: string }[];
      };
      return new Map(findings.map(({ subject, state, detail }) => [subject, `${state}: ${detail}`]));
    };
    const found = await states({ GRADUATION_PAYER_KEYPAIR: keyVariable(payer) });
    expect(found.get('graduation')).to.match(/^ok: curves graduate by themselves/);
    expect(found.get('AMM')).to.match(/^ok: .* asks 0\.15 SOL for a pool/);
    expect(found.get('graduation payer')).to.match(/^ok/);
    expect(found.get('fees')).to.match(/^ok/);
    expect(found.get('upgrade authorities')).to.match(/curve .*, graduation .*, AMM /);
    const poor = await states({ TREASURY_KEYPAIR: keyVariable(payer) });
    expect(poor.get('graduation payer')).to.match(/^warning: this service graduates nothing/);
    expect(poor.get('fees')).to.match(/^warning: they are swept to/);
    const address = payer.publicKey.toBase58();
    const other = { GRADUATION_PROGRAM_ID: address, GRADUATION_TREASURY: address };
    expect((await states(other)).get('graduation')).to.match(/^failure: GRADUATION_PROGRAM_ID is set, but/);
  });

  describe('that waits', () => {
    before('a payer without SOL', async () => {
      await service.stop();
      database = await openTestDatabase();
      payer = await cluster().fundedWallet(1_000_000n);
      await start();
    });

    it('says why, rests, and is tried again when an operator wants it', async () => {
      const token = await launch(cluster());
      await buyTokens(cluster(), token, cluster().payer, WHOLE_CURVE_LAMPORTS);
      const task = async () => (await waitingTasks(database.queries, 'graduation', 10))[0];
      await eventually(async () => (await task()) !== undefined, 'the task', MOST_MS);
      const { subject, attempts, problem, dueAt } = (await task())!;
      expect([subject, attempts]).to.deep.equal([token.mint.toBase58(), 1]);
      expect(problem).to.match(
        /the cluster refuses the graduation of \S+: .*: the wallet has too little SOL$/,
      );
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
});
