// Which settlements and migrations wait, which are refused, and which contributions follow later.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { migrate as migrateInstructions } from '@curvekit/sdk';
import { MigrationError } from '#app/graduation/migration/errors.js';
import { SettlementError } from '#app/graduation/settlement/errors.js';
import { rejection } from '#tests/mocha/failures.js';
import {
  clusterEnvironment,
  contextFrom,
  indexCreation,
  whileFinalizing,
} from '#tests/service/service-context.js';
import { buyTokens, donateSol, launch, tokensOf, WHOLE_CURVE_LAMPORTS } from '#tests/program/tokens.js';
import { settleAll, settleOne, migrateToken } from '#tests/service/paying.js';
import { simulatedCluster } from '#tests/service/service.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { useSettling } from '#tests/service/settling.js';

describe('settlements and migrations that lack something', function () {
  this.timeout(240_000);
  const { cluster, database, context, migrate } = useSettling();

  it('a settlement waits, and reports why, if the liquidity share has no recipient', async () => {
    const token = await launch(cluster(), {
      afterMigrationHoldersBp: 0,
      afterMigrationBurnBp: 0,
      afterMigrationLpBp: 5_000,
    });
    await indexCreation(database(), token);
    await donateSol(cluster(), token, 5_000_000n);
    const poor = await contextFrom(
      { ...clusterEnvironment(cluster()), SETTLEMENT_MINIMUM_SOL: '1', SETTLEMENT_INTERVAL_SECONDS: '1' },
      database(),
    );
    const report = await settleOne(poor, token.mint.toBase58(), { signal: NEVER_ABORTED });
    expect(report).to.deep.equal({
      mint: token.mint.toBase58(),
      outcome: 'waiting',
      problems: ['its liquidity share has no recipient: set LP_ADDRESS'],
    });
    expect(await tokensOf(cluster().connection, token.communityWsolStorage.address)).to.equal(5_000_000n);
    const reports = await whileFinalizing(cluster(), () => settleAll(context(), { signal: NEVER_ABORTED }));
    expect(reports.map(({ mint, outcome }) => ({ mint, outcome }))).to.deep.equal([
      { mint: token.mint.toBase58(), outcome: 'settled' },
    ]);
  });

  it("a settlement is refused for an unknown token, or without the DEX owner's key", async () => {
    const stranger = Keypair.generate().publicKey.toBase58();
    const unknown = await rejection(
      settleOne(context(), stranger, { signal: NEVER_ABORTED }),
      SettlementError,
    );
    expect(unknown.message).to.contain(`${stranger} is not an indexed token of this launchpad`);
    const keyless = await contextFrom(
      { RPC_URL: cluster().rpcUrl, SIMULATED_CLUSTER: simulatedCluster(cluster()) },
      database(),
    );
    const error = await rejection(settleAll(keyless, { signal: NEVER_ABORTED }), SettlementError);
    expect(error.message).to.contain('set DEX_OWNER_KEYPAIR');
  });

  it("a migration is refused for a trading or unknown token, or without the fee receiver's key", async () => {
    const token = await launch(cluster());
    const trading = await rejection(
      migrateToken(context(), token.mint, { signal: NEVER_ABORTED }),
      MigrationError,
    );
    expect(trading.message).to.contain('still trades');
    const stranger = Keypair.generate().publicKey;
    const unknown = await rejection(
      migrateToken(context(), stranger, { signal: NEVER_ABORTED }),
      MigrationError,
    );
    expect(unknown.message).to.contain('is not a token of this launchpad');
    const keyless = await contextFrom(
      { RPC_URL: cluster().rpcUrl, SIMULATED_CLUSTER: simulatedCluster(cluster()) },
      database(),
    );
    const error = await rejection(
      migrateToken(keyless, token.mint, { signal: NEVER_ABORTED }),
      MigrationError,
    );
    expect(error.message).to.contain('set FEE_RECEIVER_KEYPAIR');
  });

  it("a migration contributes what an earlier one left out, and ignores another wallet's donation", async () => {
    const { feeReceiver } = cluster();
    const token = await launch(cluster(), { afterMigrationFee: 200 });
    await buyTokens(cluster(), token, cluster().payer, WHOLE_CURVE_LAMPORTS);
    await cluster().send(migrateInstructions({ mint: token.mint, deployment: cluster().deployment }), [
      feeReceiver,
    ]);
    // Another wallet's donation does not count as the fee receiver's contribution.
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
});
