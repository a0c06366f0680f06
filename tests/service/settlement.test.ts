// The life of the community storages: a graduated curve is migrated, its share reaches the storages, and is settled.
import { createBurnInstruction, createCloseAccountInstruction } from '@solana/spl-token';
import { Keypair, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  compileTransaction,
  MAX_TRANSACTION_SIZE,
  migrate as migrateInstructions,
} from '@curvekit/sdk';
import { MigrationError } from '#app/migration/errors.js';
import { SettlementError } from '#app/settlement/errors.js';
import { divideByLargestRemainder } from '#app/settlement/split.js';
import { settlementInstructions } from '#app/settlement/transaction.js';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { walletBalances } from '#app/ledger/balances.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import {
  clusterEnvironment,
  contextFrom,
  indexCreation,
  keyVariable,
  whileFinalizing,
} from '#tests/service/service-context.js';
import {
  buyTokens,
  donateSol,
  launch,
  mintAccount,
  tokensOf,
  transferTokens,
  WHOLE_CURVE_LAMPORTS,
} from '#tests/program/tokens.js';
import { settleAll, settleOne, migrateToken } from '#tests/service/paying.js';
import { simulatedCluster } from '#tests/service/service.js';
import { NEVER_ABORTED } from '#tests/constants.js';

const TIMEOUT_MS = 240_000;
/** Worth more than the minimum at the first price. */
const GIVEN_UNITS = 100_000_000_000n;

describe('settlement', function () {
  this.timeout(TIMEOUT_MS);
  const cluster = useCluster();
  const treasury = Keypair.generate();
  const lp = Keypair.generate();
  let database: Database;
  let context: Context;

  before(async () => {
    database = await openTestDatabase();
    context = await contextFrom(
      {
        ...clusterEnvironment(cluster()),
        TREASURY_KEYPAIR: keyVariable(treasury),
        LP_ADDRESS: lp.publicKey.toBase58(),
        SETTLEMENT_INTERVAL_SECONDS: '1',
        SETTLEMENT_MINIMUM_SOL: '1000000',
        SETTLEMENT_MINIMUM_TOKEN: '1000000',
      },
      database,
    );
    for (const wallet of [treasury, lp]) await cluster().fund(wallet.publicKey, 1_000_000_000n);
    for (const wallet of [cluster().dexOwner, cluster().feeReceiver])
      await cluster().fund(wallet.publicKey, 10_000_000_000n);
  });
  after(() => database.close());

  const settle = (mint: PublicKey) =>
    whileFinalizing(cluster(), () => settleOne(context, mint.toBase58(), { signal: NEVER_ABORTED }));
  const migrate = (mint: PublicKey) =>
    whileFinalizing(cluster(), () => migrateToken(context, mint, { signal: NEVER_ABORTED }));

  const checkExact = async () =>
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);

  it('takes a graduated token from its curve through its storages to its holders', async () => {
    const creator = await cluster().fundedWallet();
    const token = await launch(
      cluster(),
      {
        afterMigrationFee: 500,
        afterMigrationBurnBp: 1_111,
        afterMigrationHoldersBp: 3_333,
        afterMigrationLpBp: 2_222,
      },
      creator,
    );
    await indexCreation(database, token);
    const { mint } = token;
    const traders = await cluster().fundedWallets(3);
    for (const [index, trader] of traders.entries())
      await buyTokens(cluster(), token, trader, 1_000_000_007n * BigInt(index + 1));
    const whale = await cluster().fundedWallet(100_000_000_000n);
    await buyTokens(cluster(), token, whale, WHOLE_CURVE_LAMPORTS);

    const migration = await migrate(mint);
    expect(migration.transactions).to.have.length(1);
    expect(migration.contributed).to.deep.equal({
      sol: (migration.moved.sol * 500n) / 10_000n,
      token: (migration.moved.token * 500n) / 10_000n,
    });
    const { connection } = cluster();
    expect(await tokensOf(connection, token.communityWsolStorage.address)).to.equal(
      migration.contributed.sol,
    );
    expect(await tokensOf(connection, token.communityTokenStorage.address)).to.equal(
      migration.contributed.token,
    );
    expect(migration.moved.token - migration.contributed.token).to.equal(
      await tokensOf(connection, associatedTokenAddress(cluster().feeReceiver.publicKey, mint).address),
    );

    const again = await migrate(mint);
    expect(again).to.deep.equal({ ...migration, transactions: [] });

    const supply = (await mintAccount(connection, mint)).supply;
    const lamports = async () => ({
      treasury: await lamportsOf(connection, treasury.publicKey),
      lp: await lamportsOf(connection, lp.publicKey),
      creator: await lamportsOf(connection, creator.publicKey),
    });
    const before = await lamports();
    const report = await settle(mint);
    expect(report.problems).to.deep.equal([]);
    expect(report.outcome).to.equal('settled');
    const after = await lamports();

    const [burn = 0n, holders = 0n, liquidity = 0n, rest = 0n] = divideByLargestRemainder(
      migration.contributed.token,
      [1_111n, 3_333n, 2_222n, 3_334n],
    );
    const [solBurn = 0n, solHolders = 0n, solLp = 0n, solRest = 0n] = divideByLargestRemainder(
      migration.contributed.sol,
      [1_111n, 3_333n, 2_222n, 3_334n],
    );
    expect((await mintAccount(connection, mint)).supply).to.equal(supply - burn);
    const tokensAt = (wallet: Keypair) =>
      tokensOf(connection, associatedTokenAddress(wallet.publicKey, mint).address);
    expect(await tokensAt(treasury)).to.equal(holders);
    expect(await tokensAt(lp)).to.equal(liquidity);
    expect(await tokensAt(creator)).to.equal(rest);
    expect(after.treasury - before.treasury).to.equal(solHolders);
    expect(after.lp - before.lp).to.equal(solLp);
    expect(after.creator - before.creator).to.equal(solRest + solBurn);
    expect(await tokensOf(connection, token.communityWsolStorage.address)).to.equal(0n);
    expect(await tokensOf(connection, token.communityTokenStorage.address)).to.equal(0n);

    // The credits: in proportion to the balances, to the unit.
    const wallets = [...traders, whale].map(({ publicKey }) => publicKey.toBase58()).sort();
    const balances = await Promise.all(
      [...traders, whale].map(
        async (wallet) => [wallet.publicKey.toBase58(), await tokensAt(wallet)] as const,
      ),
    );
    const weights = wallets.map((wallet) => new Map(balances).get(wallet) ?? 0n);
    const expectedSol = divideByLargestRemainder(solHolders, weights);
    const expectedToken = divideByLargestRemainder(holders, weights);
    for (const [index, wallet] of wallets.entries()) {
      expect(await walletBalances(database.queries, wallet)).to.deep.equal([
        {
          mint: mint.toBase58(),
          unclaimedSol: expectedSol[index],
          unclaimedToken: expectedToken[index],
          allTimeSol: expectedSol[index],
          allTimeToken: expectedToken[index],
        },
      ]);
    }
    await checkExact();

    expect((await settle(mint)).outcome).to.equal('nothing');
    await checkExact();
  });

  it('settles what anyone pays in, wrapped or not, for a token that still trades', async () => {
    const creator = await cluster().fundedWallet();
    const token = await launch(
      cluster(),
      { afterMigrationHoldersBp: 10_000, afterMigrationBurnBp: 0, afterMigrationLpBp: 0 },
      creator,
    );
    await indexCreation(database, token);
    const [first, second] = await cluster().fundedWallets(2);
    if (first === undefined || second === undefined) throw new Error('two wallets were asked for');
    await buyTokens(cluster(), token, first, 5_000_000_000n);
    await buyTokens(cluster(), token, second, 1_000_000_000n);
    await donateSol(cluster(), token, 1_000_001n);
    // Never wrapped by its giver.
    await cluster().fund(token.communityWsolStorage.address, 7n);
    await transferTokens(cluster(), token.mint, first, token.communityTokenStorage.address, 3_000_001n);

    const report = await settle(token.mint);
    expect(report.outcome).to.equal('settled');
    expect(report.settlement).to.include({
      sol: 1_000_008n,
      solHolders: 1_000_008n,
      token: 3_000_001n,
      holders: 2,
    });
    const credited = await Promise.all(
      [first, second].map(
        async ({ publicKey }) => (await walletBalances(database.queries, publicKey.toBase58()))[0],
      ),
    );
    expect(credited.reduce((sum, rewards) => sum + (rewards?.unclaimedSol ?? 0n), 0n)).to.equal(1_000_008n);
    expect(credited.reduce((sum, rewards) => sum + (rewards?.unclaimedToken ?? 0n), 0n)).to.equal(3_000_001n);
    await checkExact();
  });

  it('leaves less than the minimum alone', async () => {
    const token = await launch(cluster());
    await indexCreation(database, token);
    await donateSol(cluster(), token, 999_999n);
    expect((await settle(token.mint)).outcome).to.equal('nothing');
    await donateSol(cluster(), token, 1n);
    expect((await settle(token.mint)).outcome).to.equal('settled');
  });

  it("gives the holders' part to the creator while nobody holds the token", async () => {
    const creator = await cluster().fundedWallet();
    const token = await launch(
      cluster(),
      { afterMigrationHoldersBp: 10_000, afterMigrationBurnBp: 0, afterMigrationLpBp: 0 },
      creator,
    );
    await indexCreation(database, token);
    await donateSol(cluster(), token, 2_000_000n);
    const before = await lamportsOf(cluster().connection, creator.publicKey);
    expect((await settle(token.mint)).outcome).to.equal('settled');
    expect(await lamportsOf(cluster().connection, creator.publicKey)).to.equal(before + 2_000_000n);
  });

  it('credits a creator who has no account for its part, and opens the account only once', async () => {
    const creator = await cluster().fundedWallet();
    const token = await launch(
      cluster(),
      { afterMigrationHoldersBp: 0, afterMigrationBurnBp: 0, afterMigrationLpBp: 0 },
      creator,
    );
    await indexCreation(database, token);
    const { mint } = token;
    const giver = await cluster().fundedWallet();
    await buyTokens(cluster(), token, giver, 1_000_000_000n);
    const donate = () =>
      transferTokens(cluster(), mint, giver, token.communityTokenStorage.address, GIVEN_UNITS);
    const account = associatedTokenAddress(creator.publicKey, mint).address;

    await donate();
    expect((await settle(mint)).outcome).to.equal('settled');
    expect(await tokensOf(cluster().connection, account)).to.equal(GIVEN_UNITS);

    await cluster().send(
      [
        createBurnInstruction(account, mint, creator.publicKey, GIVEN_UNITS),
        createCloseAccountInstruction(account, creator.publicKey, creator.publicKey),
      ],
      [creator],
    );
    await donate();
    const report = await settle(mint);
    expect(report.settlement).to.include({ tokenCreator: GIVEN_UNITS, tokenCreatorCredited: GIVEN_UNITS });
    expect(await cluster().connection.getAccountInfo(account)).to.equal(null);
    const [rewards] = await walletBalances(database.queries, creator.publicKey.toBase58(), mint.toBase58());
    expect(rewards?.unclaimedToken).to.equal(GIVEN_UNITS);
    await checkExact();
  });

  it('waits, and says why, where a part has nobody to go to', async () => {
    const token = await launch(cluster(), {
      afterMigrationHoldersBp: 0,
      afterMigrationBurnBp: 0,
      afterMigrationLpBp: 5_000,
    });
    await indexCreation(database, token);
    await donateSol(cluster(), token, 5_000_000n);
    const poor = await contextFrom(
      { ...clusterEnvironment(cluster()), SETTLEMENT_MINIMUM_SOL: '1', SETTLEMENT_INTERVAL_SECONDS: '1' },
      database,
    );
    const report = await settleOne(poor, token.mint.toBase58(), { signal: NEVER_ABORTED });
    expect(report).to.deep.equal({
      mint: token.mint.toBase58(),
      outcome: 'waiting',
      problems: ['its liquidity share has no recipient: set LP_ADDRESS'],
    });
    expect(await tokensOf(cluster().connection, token.communityWsolStorage.address)).to.equal(5_000_000n);
    const reports = await whileFinalizing(cluster(), () => settleAll(context, { signal: NEVER_ABORTED }));
    expect(reports.map(({ mint, outcome }) => ({ mint, outcome }))).to.deep.equal([
      { mint: token.mint.toBase58(), outcome: 'settled' },
    ]);
  });

  it('refuses to settle an unknown token, or without the key', async () => {
    const stranger = Keypair.generate().publicKey.toBase58();
    const unknown = await rejection(settleOne(context, stranger, { signal: NEVER_ABORTED }), SettlementError);
    expect(unknown.message).to.contain(`${stranger} is not an indexed token of this launchpad`);
    const keyless = await contextFrom(
      { RPC_URL: cluster().rpcUrl, SIMULATED_CLUSTER: simulatedCluster(cluster()) },
      database,
    );
    const error = await rejection(settleAll(keyless, { signal: NEVER_ABORTED }), SettlementError);
    expect(error.message).to.contain('set DEX_OWNER_KEYPAIR');
  });

  it('refuses to migrate a token that trades, one it does not know, and without the key', async () => {
    const token = await launch(cluster());
    const trading = await rejection(
      migrateToken(context, token.mint, { signal: NEVER_ABORTED }),
      MigrationError,
    );
    expect(trading.message).to.contain('still trades');
    const stranger = Keypair.generate().publicKey;
    const unknown = await rejection(
      migrateToken(context, stranger, { signal: NEVER_ABORTED }),
      MigrationError,
    );
    expect(unknown.message).to.contain('is not a token of this launchpad');
    const keyless = await contextFrom(
      { RPC_URL: cluster().rpcUrl, SIMULATED_CLUSTER: simulatedCluster(cluster()) },
      database,
    );
    const error = await rejection(
      migrateToken(keyless, token.mint, { signal: NEVER_ABORTED }),
      MigrationError,
    );
    expect(error.message).to.contain('set FEE_RECEIVER_KEYPAIR');
  });

  it('contributes what a migration without a contribution left out, and what a late donation added', async () => {
    const { feeReceiver } = cluster();
    const token = await launch(cluster(), { afterMigrationFee: 200 });
    await buyTokens(cluster(), token, cluster().payer, WHOLE_CURVE_LAMPORTS);
    await cluster().send(migrateInstructions({ mint: token.mint }), [feeReceiver]);
    // A stranger's gift is not the fee receiver's contribution.
    await donateSol(cluster(), token, 1_000_000_000n);
    const report = await migrate(token.mint);
    expect(report.contributed).to.deep.equal({
      sol: (report.moved.sol * 200n) / 10_000n,
      token: (report.moved.token * 200n) / 10_000n,
    });
    expect(await tokensOf(cluster().connection, token.communityWsolStorage.address)).to.equal(
      report.contributed.sol + 1_000_000_000n,
    );
    expect((await migrate(token.mint)).transactions).to.deep.equal([]);
  });

  it('fits one transaction with every account to be opened', () => {
    const key = () => Keypair.generate().publicKey;
    const dexOwner = key();
    const most = { treasury: 1n, lp: 1n, creator: 1n };
    const instructions = settlementInstructions({
      mint: key(),
      dexOwner,
      wsolStorage: key(),
      tokenStorage: key(),
      treasury: key(),
      lp: key(),
      creator: key(),
      opensCreatorAccount: true,
      sol: { taken: 3n, ...most },
      token: { burned: 1n, ...most },
      unwrapping: key(),
      tokenAccountRent: 2_039_280,
    });
    const parts = { payer: dexOwner, instructions, computeUnitLimit: 200_000, computeUnitPrice: 1_000_000n };
    const bytes = compileTransaction(parts, key().toBase58()).serialize().length;
    expect(bytes).to.be.at.most(MAX_TRANSACTION_SIZE);
  });
});
