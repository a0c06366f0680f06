import { SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import {
  adminSetProperties,
  associatedTokenAddress,
  buy,
  decodeRecords,
  decodeTokenOwnerData,
  encodeTokenOwnerData,
  expectedAccount,
  GRADUATION_VIRTUAL_TOKEN,
  KEY_HELD_DEPLOYMENT,
  migrate,
  rebuildHistories,
  TOKEN_SUPPLY,
  type RecordContent,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import {
  buyTokens,
  curveState,
  launch,
  launchGraduated,
  openOtherTokenAccount,
  openTokenAccount,
  transferTokens,
  WHOLE_CURVE_LAMPORTS,
} from '#tests/program/tokens.js';
import { expectRecent } from '#tests/program/trade-records.js';
import { SOL, TOKEN } from '#tests/constants.js';
import { expectMoved, held, launchReady, sendMigration } from '#tests/program/migrated.js';

const deployment = KEY_HELD_DEPLOYMENT;
const { rawMigrate, rawSellToken } = rawInstructions(deployment);

describe('migrate', () => {
  const cluster = useKeyHeldCluster();
  describe('Given a graduated curve, when the fee receiver migrates it', () => {
    it('invariant 8: then all SOL above the rent and all tokens move to the fee receiver, and the curve is migrated', async () => {
      const { connection } = cluster();
      const token = await launchReady(cluster());
      const state = await curveState(cluster(), token);
      const before = await held(cluster(), token);
      expect(before.curveLamports > 84n * SOL && before.vaultTokens > 200_000_000n * TOKEN).to.equal(true);
      await sendMigration(cluster(), token);
      await expectMoved(cluster(), before, await held(cluster(), token));
      const account = await connection.getAccountInfo(token.curve.address);
      const expected = encodeTokenOwnerData({ ...state, initialized: 3 });
      expect(account!.data.toString('hex')).to.equal(Buffer.from(expected).toString('hex'));
      expect(account!.owner.toBase58()).to.equal(cluster().programId.toBase58());
    });

    it('invariant 8: then donations of SOL and tokens move too', async () => {
      const { payer } = cluster();
      const token = await launchReady(cluster());
      const plain = await held(cluster(), token);
      await cluster().fund(token.curve.address, 3n * SOL + 1n);
      await transferTokens(cluster(), token.mint, payer, token.vault.address, 5n * TOKEN + 1n);
      const before = await held(cluster(), token);
      expect(before.curveLamports).to.equal(plain.curveLamports + 3n * SOL + 1n);
      expect(before.vaultTokens).to.equal(plain.vaultTokens + 5n * TOKEN + 1n);
      await sendMigration(cluster(), token);
      await expectMoved(cluster(), before, await held(cluster(), token));
    });

    it('invariant 9: then there is one record, and it equals the change', async () => {
      const { feeReceiver } = cluster();
      const token = await launchReady(cluster());
      await cluster().fund(token.curve.address, 7n);
      const before = await held(cluster(), token);
      const { transaction, signature } = await sendMigration(cluster(), token);
      const after = await held(cluster(), token);
      const records = decodeRecords(transaction);
      expect(records).to.have.lengthOf(1);
      expect(records[0]).to.deep.include({ kind: 'migrate', signature });
      const { timestamp, ...content } = records[0]!.data;
      expect(content).to.deep.equal({
        mint: token.mint,
        feeAccount: feeReceiver.publicKey,
        solAmount: before.curveLamports - after.curveLamports,
        tokenAmount: before.vaultTokens,
      });
      expectRecent(timestamp, (await cluster().clock()).unixTimestamp);
    });

    it('then the SDK creates the missing token account of the fee receiver', async () => {
      const { connection, feeReceiver, payer } = cluster();
      const token = await launchGraduated(cluster());
      const before = await held(cluster(), token);
      await cluster().send(migrate({ mint: token.mint, deployment }), [payer, feeReceiver]);
      const account = associatedTokenAddress(feeReceiver.publicKey, token.mint).address;
      const rent = await lamportsOf(connection, account);
      await expectMoved(
        cluster(),
        { ...before, feeLamports: before.feeLamports - rent },
        await held(cluster(), token),
      );
    });

    it('then the fee receiver can pay for the transaction, and can name another token account of its own', async () => {
      const { feeReceiver } = cluster();
      const token = await launchGraduated(cluster());
      const account = await openOtherTokenAccount(cluster(), feeReceiver.publicKey, token.mint);
      const before = await held(cluster(), token, account);
      const instructions = migrate({ mint: token.mint, feeTokenAccount: account, deployment });
      const { fee } = await cluster().send(instructions, [feeReceiver]);
      await expectMoved(
        cluster(),
        { ...before, feeLamports: before.feeLamports - fee },
        await held(cluster(), token, account),
      );
    });

    it('then the migration can be in the same transaction as the graduating buy', async () => {
      const { payer, feeReceiver } = cluster();
      const token = await launch(cluster());
      const purchase = buy({
        mint: token.mint,
        payer: payer.publicKey,
        solToSpend: WHOLE_CURVE_LAMPORTS,
        minTokenToReceive: 0n,
        deployment,
      });
      const instructions = [...purchase, ...migrate({ mint: token.mint, deployment })];
      const { transaction } = await cluster().send(instructions, [payer, feeReceiver]);
      expect(decodeRecords(transaction).map(({ kind }) => kind)).to.deep.equal(['trade', 'migrate']);
      expect((await curveState(cluster(), token)).initialized).to.equal(3);
    });

    it('then the whole life of the curve can be rebuilt from its records', async () => {
      const { connection, payer } = cluster();
      const token = await launch(cluster());
      const sent = [
        token.created,
        await buyTokens(cluster(), token, payer, 10n * SOL),
        await cluster().send([rawSellToken(token.mint, payer.publicKey)], [payer]),
        await buyTokens(cluster(), token, payer, WHOLE_CURVE_LAMPORTS),
        await cluster().send(migrate({ mint: token.mint, deployment }), [payer, cluster().feeReceiver]),
      ];
      const records: RecordContent[] = sent.flatMap(({ transaction }) => decodeRecords(transaction));
      const history = rebuildHistories(records).get(token.mint.toBase58())!;
      const account = await connection.getAccountInfo(token.curve.address);
      expect(expectedAccount(history)).to.deep.equal(decodeTokenOwnerData(account!.data));
      expect(history).to.include({ buys: 2, sells: 1, status: 3 });
    });
  });

  describe('Given a curve with the extreme reserves that properties allow', () => {
    for (const [what, initialVirtualToken] of [
      ['fewest', TOKEN_SUPPLY + 1n],
      ['most', TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1n],
    ] as const) {
      it(`when it starts with the ${what} tokens, then the vault covers the graduation, and the rest moves`, async () => {
        const { admin, payer } = cluster();
        await cluster().send(adminSetProperties({ ...DEFAULT_PROPERTIES, initialVirtualToken }), [admin]);
        const token = await launch(cluster());
        await cluster().send(adminSetProperties(DEFAULT_PROPERTIES), [admin]);
        await openTokenAccount(cluster(), cluster().feeReceiver.publicKey, token.mint);
        await buyTokens(cluster(), token, payer, 2n * WHOLE_CURVE_LAMPORTS);
        const before = await held(cluster(), token);
        const sold = initialVirtualToken - GRADUATION_VIRTUAL_TOKEN;
        expect(before.vaultTokens).to.equal(TOKEN_SUPPLY - sold);
        await sendMigration(cluster(), token);
        await expectMoved(cluster(), before, await held(cluster(), token));
      });
    }
  });

  describe('Given a donation in the transaction of the migration', () => {
    it('when the donation comes first, then it moves to the fee receiver too', async () => {
      const { payer, feeReceiver } = cluster();
      const token = await launchReady(cluster());
      const before = await held(cluster(), token);
      const donation = SystemProgram.transfer({
        fromPubkey: payer.publicKey,
        toPubkey: token.curve.address,
        lamports: 123n,
      });
      await cluster().send([donation, rawMigrate(token.mint)], [payer, feeReceiver]);
      await expectMoved(
        cluster(),
        { ...before, curveLamports: before.curveLamports + 123n },
        await held(cluster(), token),
      );
    });
  });
});
