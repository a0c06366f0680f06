import { SystemProgram } from '@solana/web3.js'; // Migrations by the fee receiver. tests/differential has those that are refused.
import { expect } from 'chai';
import {
  associatedTokenAddress,
  buy,
  decodeRecords,
  decodeTokenOwnerData,
  encodeTokenOwnerData,
  expectedAccount,
  InvalidArgumentError,
  KEY_HELD_DEPLOYMENT,
  migrate,
  rebuildHistories,
  TOKEN_OWNER_DATA_SIZE,
  type RecordContent,
} from '@curvekit/sdk';
import { type SentTransaction } from '@curvekit/testing';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { SOL, TOKEN } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import {
  buyTokens,
  curveState,
  launch,
  launchGraduated,
  openTokenAccount,
  tokensOf,
  transferTokens,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '#tests/program/tokens.js';

const deployment = KEY_HELD_DEPLOYMENT;
const { rawMigrate, rawSellToken } = rawInstructions(deployment);

interface Moved {
  /** What the fee receiver pays for the transaction. */
  readonly paid?: () => Promise<bigint>;
  /** Lamports that the curve gets in the transaction. */
  readonly donated?: bigint;
}

describe('migrate', () => {
  const cluster = useKeyHeldCluster();

  async function held(token: Token) {
    const { connection, feeReceiver } = cluster();
    const account = associatedTokenAddress(feeReceiver.publicKey, token.mint).address;
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
    { paid, donated = 0n }: Moved = {},
  ) {
    const { connection } = cluster();
    const rent = await rentOf(connection, TOKEN_OWNER_DATA_SIZE);
    const before = await held(token);
    const sent = await migrating();
    const costs = (await paid?.()) ?? 0n;
    expect(await held(token)).to.deep.equal({
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

  it('the SDK refuses a nonce that is not canonical, and names the argument', async () => {
    const { mint, curve } = await launch(cluster());
    const building = Promise.resolve().then(() =>
      migrate({ mint, pdaTokenNonce: curve.bump - 1, deployment }),
    );
    expect(await rejection(building, InvalidArgumentError)).to.have.property('argument', 'pdaTokenNonce');
  });
});
