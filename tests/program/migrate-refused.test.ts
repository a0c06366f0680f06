import { expect } from 'chai'; // threat: fees-to-another, early-migration
import { InvalidArgumentError, KEY_HELD_DEPLOYMENT, migrate, type MigrateArgs } from '@curvekit/sdk';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { rejection } from '#tests/mocha/failures.js';
import { SOL, TOKEN } from '#tests/constants.js';
import { launchReady, sendMigration } from '#tests/program/migrated.js';
import { wrongNonces } from '#tests/program/non-canonical.js';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import { CLOSED, LOGICAL, MATCH, NOT_READY, WRONG_FEE_RECEIVER } from '#tests/program/refusals.js';
import {
  buyTokens,
  curveState,
  launch,
  openTokenAccount,
  transferTokens,
  type Token,
} from '#tests/program/tokens.js';

const deployment = KEY_HELD_DEPLOYMENT;
const { rawBuyToken, rawMigrate, rawSellToken } = rawInstructions(deployment);

describe('migrate refuses', () => {
  const cluster = useKeyHeldCluster();
  /** A graduated curve with a token account of the fee receiver. None of these tests changes it. */
  let quiet: Token;

  before(async () => {
    quiet = await launchReady(cluster());
  });

  async function expectMigrateRefused({ mint }: Token, args: Partial<MigrateArgs>, expected: string) {
    const { feeReceiver } = cluster();
    const error = await expectRefused(cluster(), [rawMigrate(mint, { args })], [feeReceiver], expected);
    expect(error.instruction).to.deep.equal({ index: 0, name: 'migrate' });
  }

  describe('Given a curve that trades', () => {
    it('when the curve is new, then it is not ready to migrate', async () => {
      const token = await launch(cluster());
      await openTokenAccount(cluster(), cluster().feeReceiver.publicKey, token.mint);
      await expectMigrateRefused(token, {}, NOT_READY);
    });

    it('when only the last base units are unsold, then the curve is not ready to migrate', async () => {
      const token = await launch(cluster());
      await openTokenAccount(cluster(), cluster().feeReceiver.publicKey, token.mint);
      await buyTokens(cluster(), token, cluster().payer, 85_800_000_000n);
      expect((await curveState(cluster(), token)).initialized).to.equal(1);
      await expectMigrateRefused(token, {}, NOT_READY);
    });
  });

  describe('Given a migrated curve', () => {
    let migrated: Token;

    before(async () => {
      migrated = await launchReady(cluster());
      await sendMigration(cluster(), migrated);
    });

    it('invariant 8: when the curve is migrated again, then the second migration is refused', () =>
      expectMigrateRefused(migrated, {}, LOGICAL));

    it('invariant 8: when SOL and tokens arrive after the migration, then they stay in the curve and cannot be migrated', async () => {
      const { payer } = cluster();
      await cluster().fund(migrated.curve.address, SOL);
      await transferTokens(cluster(), migrated.mint, payer, migrated.vault.address, TOKEN);
      await expectMigrateRefused(migrated, {}, LOGICAL);
    });

    it('invariant 7: when a wallet trades, then the trade is refused', async () => {
      const { payer } = cluster();
      const purchase = rawBuyToken(migrated.mint, payer.publicKey);
      await expectRefused(cluster(), [purchase], [], CLOSED);
      await expectRefused(cluster(), [rawSellToken(migrated.mint, payer.publicKey)], [], CLOSED);
    });

    it('when a transaction migrates a curve twice, then the whole transaction fails', async () => {
      const { feeReceiver } = cluster();
      const instructions = [rawMigrate(quiet.mint), rawMigrate(quiet.mint)];
      const error = await expectRefused(cluster(), instructions, [feeReceiver], LOGICAL);
      expect(error.instruction?.index).to.equal(1);
    });
  });

  describe('Given a wallet other than the fee receiver', () => {
    it('when it signs and has a token account, then the program refuses with the error for a wrong fee receiver', async () => {
      const stranger = await cluster().fundedWallet();
      const feeTokenAccount = await openTokenAccount(cluster(), stranger.publicKey, quiet.mint);
      const accounts = { feeAccount: stranger.publicKey, feeTokenAccount };
      const instruction = rawMigrate(quiet.mint, { accounts });
      await expectRefused(cluster(), [instruction], [stranger], WRONG_FEE_RECEIVER);
    });

    it('when it is the admin, then the program refuses with the error for a wrong fee receiver', async () => {
      const { admin } = cluster();
      const feeTokenAccount = await openTokenAccount(cluster(), admin.publicKey, quiet.mint);
      const accounts = { feeAccount: admin.publicKey, feeTokenAccount };
      const instruction = rawMigrate(quiet.mint, { accounts });
      await expectRefused(cluster(), [instruction], [admin], WRONG_FEE_RECEIVER);
    });
  });

  describe('Given a nonce that is not canonical', () => {
    it('when the nonce does not derive the curve, then the curve does not match the mint', async () => {
      for (const pdaTokenNonce of wrongNonces(quiet)) {
        await expectMigrateRefused(quiet, { pdaTokenNonce }, MATCH);
      }
    });

    it('when it is passed to the SDK, then the SDK refuses and names the argument', async () => {
      const building = Promise.resolve().then(() =>
        migrate({ mint: quiet.mint, pdaTokenNonce: quiet.curve.bump - 1, deployment }),
      );
      expect(await rejection(building, InvalidArgumentError)).to.have.property('argument', 'pdaTokenNonce');
    });
  });
});
