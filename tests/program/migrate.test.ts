import { SystemProgram, type PublicKey } from '@solana/web3.js'; // threat: fees-to-another, early-migration
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
  InvalidArgumentError,
  KEY_HELD_DEPLOYMENT,
  migrate,
  rebuildHistories,
  TOKEN_OWNER_DATA_SIZE,
  TOKEN_SUPPLY,
  type RecordContent,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES, type SentTransaction } from '@curvekit/testing';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { SOL, TOKEN } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import { LOGICAL, NOT_READY, WRONG_FEE_RECEIVER } from '#tests/program/refusals.js';
import {
  buyTokens,
  curveState,
  launch,
  launchGraduated,
  openOtherTokenAccount,
  openTokenAccount,
  tokensOf,
  transferTokens,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '#tests/program/tokens.js';

const deployment = KEY_HELD_DEPLOYMENT;
const { rawMigrate, rawSellToken } = rawInstructions(deployment);

interface Moved {
  /** A token account of the fee receiver that is not the associated one. */
  readonly account?: PublicKey;
  /** What the fee receiver pays for the transaction. */
  readonly paid?: (sent: SentTransaction) => bigint | Promise<bigint>;
  /** Lamports that the curve gets in the transaction. */
  readonly donated?: bigint;
}

describe('migrate', () => {
  const cluster = useKeyHeldCluster();

  /** The balances that a migration changes. The fee receiver's token account defaults to the associated one. */
  async function held(token: Token, feeTokenAccount?: PublicKey) {
    const { connection, feeReceiver } = cluster();
    const account = feeTokenAccount ?? associatedTokenAddress(feeReceiver.publicKey, token.mint).address;
    return {
      curveLamports: await lamportsOf(connection, token.curve.address),
      feeLamports: await lamportsOf(connection, feeReceiver.publicKey),
      vaultTokens: await tokensOf(connection, token.vault.address),
      feeTokens: await tokensOf(connection, account),
    };
  }

  /** A graduated token for which the fee receiver already has a token account. */
  async function launchReady(): Promise<Token> {
    const token = await launchGraduated(cluster());
    await openTokenAccount(cluster(), cluster().feeReceiver.publicKey, token.mint);
    return token;
  }

  /** Migrates. The cluster's payer pays the transaction fee. */
  const sendMigration = ({ mint }: Token): Promise<SentTransaction> =>
    cluster().send([rawMigrate(mint)], [cluster().payer, cluster().feeReceiver]);

  /** Migrates, and expects invariant 8: the fee receiver gets all lamports above the rent, and all tokens. */
  async function expectMoved(
    token: Token,
    migrating: () => Promise<SentTransaction>,
    { account, paid, donated = 0n }: Moved = {},
  ) {
    const { connection } = cluster();
    const rent = await rentOf(connection, TOKEN_OWNER_DATA_SIZE);
    const before = await held(token, account);
    const sent = await migrating();
    const costs = (await paid?.(sent)) ?? 0n;
    expect(await held(token, account)).to.deep.equal({
      curveLamports: rent,
      feeLamports: before.feeLamports + before.curveLamports + donated - rent - costs,
      vaultTokens: 0n,
      feeTokens: before.feeTokens + before.vaultTokens,
    });
    return { before, sent };
  }

  it('invariants 8 and 9: all SOL above the rent and all tokens move to the fee receiver, donated ones too, with one record', async () => {
    const { connection, feeReceiver, payer, programId } = cluster();
    const token = await launchReady();
    await cluster().fund(token.curve.address, 3n * SOL + 1n);
    await transferTokens(cluster(), token.mint, payer, token.vault.address, 5n * TOKEN + 1n);
    const state = await curveState(cluster(), token);
    const { before, sent } = await expectMoved(token, () => sendMigration(token));
    expect(before.curveLamports > 87n * SOL && before.vaultTokens > 200_000_000n * TOKEN).to.equal(true);
    const account = (await connection.getAccountInfo(token.curve.address))!;
    expect(account.data).to.deep.equal(Buffer.from(encodeTokenOwnerData({ ...state, initialized: 3 })));
    expect(account.owner.equals(programId)).to.equal(true);
    const records = decodeRecords(sent.transaction);
    expect(records).to.have.lengthOf(1);
    expect(records[0]).to.include({ kind: 'migrate', signature: sent.signature });
    const { timestamp, ...content } = records[0]!.data;
    expect(content).to.deep.equal({
      mint: token.mint,
      feeAccount: feeReceiver.publicKey,
      solAmount: before.curveLamports - BigInt(account.lamports),
      tokenAmount: before.vaultTokens,
    });
    const { unixTimestamp } = await cluster().clock();
    expect(timestamp <= unixTimestamp && timestamp > unixTimestamp - 60n).to.equal(true);
  });

  it('the SDK creates the missing token account of the fee receiver', async () => {
    const { connection, feeReceiver, payer } = cluster();
    const token = await launchGraduated(cluster());
    const instructions = migrate({ mint: token.mint, deployment });
    const { address } = associatedTokenAddress(feeReceiver.publicKey, token.mint);
    const paid = () => lamportsOf(connection, address);
    await expectMoved(token, () => cluster().send(instructions, [payer, feeReceiver]), { paid });
  });

  it('the fee receiver can pay for the transaction, and can name another token account of its own', async () => {
    const { feeReceiver } = cluster();
    const token = await launchGraduated(cluster());
    const account = await openOtherTokenAccount(cluster(), feeReceiver.publicKey, token.mint);
    const instructions = migrate({ mint: token.mint, feeTokenAccount: account, deployment });
    const paid = ({ fee }: SentTransaction) => fee;
    await expectMoved(token, () => cluster().send(instructions, [feeReceiver]), { account, paid });
  });

  it('the migration can be in the same transaction as a donation, and as the graduating buy', async () => {
    const { payer, feeReceiver } = cluster();
    const ready = await launchReady();
    const donation = SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: ready.curve.address,
      lamports: 123n,
    });
    const instructions = [donation, rawMigrate(ready.mint)];
    const donated = 123n;
    await expectMoved(ready, () => cluster().send(instructions, [payer, feeReceiver]), { donated });

    const { mint, ...token } = await launch(cluster());
    const amounts = { solToSpend: WHOLE_CURVE_LAMPORTS, minTokenToReceive: 0n };
    const purchase = buy({ mint, payer: payer.publicKey, ...amounts, deployment });
    const both = [...purchase, ...migrate({ mint, deployment })];
    const { transaction } = await cluster().send(both, [payer, feeReceiver]);
    expect(decodeRecords(transaction).map(({ kind }) => kind)).to.deep.equal(['trade', 'migrate']);
    expect((await curveState(cluster(), { mint, ...token })).initialized).to.equal(3);
  });

  it('the whole life of the curve can be rebuilt from its records', async () => {
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

  for (const [what, initialVirtualToken] of [
    ['fewest', TOKEN_SUPPLY + 1n],
    ['most', TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1n],
  ] as const) {
    it(`when a curve starts with the ${what} tokens that properties allow, then the vault covers the graduation, and the rest moves`, async () => {
      const { admin, payer } = cluster();
      await cluster().send(adminSetProperties({ ...DEFAULT_PROPERTIES, initialVirtualToken }), [admin]);
      const token = await launch(cluster());
      await cluster().send(adminSetProperties(DEFAULT_PROPERTIES), [admin]);
      await openTokenAccount(cluster(), cluster().feeReceiver.publicKey, token.mint);
      await buyTokens(cluster(), token, payer, 2n * WHOLE_CURVE_LAMPORTS);
      const { before } = await expectMoved(token, () => sendMigration(token));
      expect(before.vaultTokens).to.equal(TOKEN_SUPPLY - (initialVirtualToken - GRADUATION_VIRTUAL_TOKEN));
    });
  }

  it('refuses a curve whose last base units are unsold', async () => {
    const { feeReceiver, payer } = cluster();
    const token = await launch(cluster());
    await openTokenAccount(cluster(), feeReceiver.publicKey, token.mint);
    await buyTokens(cluster(), token, payer, 85_800_000_000n);
    expect((await curveState(cluster(), token)).initialized).to.equal(1);
    await expectRefused(cluster(), [rawMigrate(token.mint)], [feeReceiver], NOT_READY);
  });

  it('invariant 8: refuses a second migration, in the same transaction and after a donation', async () => {
    const { feeReceiver, payer } = cluster();
    const token = await launchReady();
    const call = rawMigrate(token.mint);
    const error = await expectRefused(cluster(), [call, call], [feeReceiver], LOGICAL);
    expect(error.instruction).to.deep.equal({ index: 1, name: 'migrate' });
    await sendMigration(token);
    await cluster().fund(token.curve.address, SOL);
    await transferTokens(cluster(), token.mint, payer, token.vault.address, TOKEN);
    await expectRefused(cluster(), [call], [feeReceiver], LOGICAL);
  });

  it('refuses to pay a wallet other than the fee receiver, also the admin', async () => {
    const { admin } = cluster();
    const token = await launchReady();
    for (const wallet of [await cluster().fundedWallet(), admin]) {
      const feeTokenAccount = await openTokenAccount(cluster(), wallet.publicKey, token.mint);
      const accounts = { feeAccount: wallet.publicKey, feeTokenAccount };
      const instruction = rawMigrate(token.mint, { accounts });
      await expectRefused(cluster(), [instruction], [wallet], WRONG_FEE_RECEIVER);
    }
  });

  it('the SDK refuses a nonce that is not canonical, and names the argument', async () => {
    const { mint, curve } = await launch(cluster());
    const building = Promise.resolve().then(() =>
      migrate({ mint, pdaTokenNonce: curve.bump - 1, deployment }),
    );
    expect(await rejection(building, InvalidArgumentError)).to.have.property('argument', 'pdaTokenNonce');
  });
});
