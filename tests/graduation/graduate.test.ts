// A wallet without any other role graduates a curve: from the last buy to the first trades in the pool.
// threat: fee-receiver-takes, same-transaction-trade, truncated-record
import { expect } from 'chai';
import {
  AMM,
  associatedTokenAddress,
  createTokenAccountIfMissing,
  decodeRecords,
  decodeTokenOwnerData,
  graduate,
  InvalidArgumentError,
  KEY_HELD_DEPLOYMENT,
  NATIVE_MINT_ADDRESS,
  rebuildHistories,
  TOKEN_OWNER_DATA_SIZE,
} from '@curvekit/sdk';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { describeOnAmms } from '#tests/graduation/amms.js';
import {
  graduateRecord,
  graduation,
  holdings,
  launchSoldOut,
  mintInOrder,
  priceError,
  sendGraduation,
  untilOpen,
} from '#tests/graduation/graduating.js';
import { mintAccount, tokensOf } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

const CLOSEST = 1e-9;
const NETWORK_FEE = 5_000n;

describeOnAmms('graduate', (cluster) => {
  for (const order of ['token first', 'SOL first'] as const) {
    for (const afterMigrationFee of [0, 25, 500]) {
      it(`Given a sold-out curve (${order}, ${afterMigrationFee} bps), when any wallet graduates it, then every account has the expected amounts`, async () => {
        const { connection } = cluster();
        const token = await launchSoldOut(cluster(), { afterMigrationFee }, mintInOrder(order));
        const passerBy = await cluster().fundedWallet(SOL / 50n);
        const before = await holdings(cluster(), token);
        const sent = await sendGraduation(cluster(), token, passerBy);
        const after = await holdings(cluster(), token);

        const curveRent = await rentOf(connection, TOKEN_OWNER_DATA_SIZE);
        const [sol, tokens] = [before.curveSol - curveRent, before.vaultTokens];
        const record = graduateRecord(sent, cluster());
        expect(record.poolSol + record.communitySol + record.costs).to.equal(sol);
        expect(record.poolToken + record.communityToken + record.burnt).to.equal(tokens);
        expect(record.communitySol).to.equal((sol * BigInt(afterMigrationFee)) / 10_000n);
        expect(record.communityToken).to.equal((tokens * BigInt(afterMigrationFee)) / 10_000n);
        expect(after).to.deep.equal({
          curveSol: curveRent,
          vaultTokens: 0n,
          poolSol: record.poolSol,
          poolTokens: record.poolToken,
          communitySol: record.communitySol,
          communityTokens: record.communityToken,
          supply: before.supply - record.burnt,
          feeReceiver: before.feeReceiver,
          poolCreator: 0n,
        });
        expect(Math.abs(await priceError(cluster(), token))).to.be.lessThan(CLOSEST);
        expect((await mintAccount(connection, token.pool.liquidityMint)).supply).to.equal(0n);
        expect(await lamportsOf(connection, passerBy.publicKey)).to.equal(SOL / 50n - NETWORK_FEE);
        const curve = await connection.getAccountInfo(token.curve.address);
        expect(decodeTokenOwnerData(curve!.data).initialized).to.equal(3);
        const accounts = await connection.getMultipleAccountsInfo(AMM.accounts(token.pool));
        expect(AMM.decode(token.pool, accounts)).to.include({
          sol: record.poolSol,
          token: record.poolToken,
          tradable: true,
        });
      });
    }
  }

  it('Given a graduation, when its transaction is decoded, then migration and graduation rebuild the history', async () => {
    const token = await launchSoldOut(cluster());
    const before = await holdings(cluster(), token);
    const { transaction } = await sendGraduation(cluster(), token);
    const records = decodeRecords(transaction, { deployment: cluster().deployment });
    expect(records.map(({ kind }) => kind)).to.deep.equal(['migrate', 'graduate']);
    const [migration, { data }] = records as [(typeof records)[0], (typeof records)[0]];
    expect(data).to.deep.include({ mint: token.mint, pool: token.pool.pool });
    // A caller can fill the log first. The decoder then derives the migration from the graduation record.
    const cut = { ...transaction, meta: { ...transaction.meta!, logMessages: ['Log truncated'] } };
    expect(decodeRecords(cut, { deployment: cluster().deployment })).to.deep.equal(records);
    expect(migration.data).to.deep.include({ tokenAmount: before.vaultTokens });
    const created = decodeRecords(token.created.transaction, { deployment: cluster().deployment });
    const [history] = rebuildHistories([created[0]!]).values();
    expect(history!.graduated).to.equal(undefined);
  });

  it('Given a graduated curve, when it is graduated again, alone or twice at once, then it is refused', async () => {
    const token = await launchSoldOut(cluster());
    const { payer } = cluster();
    const once = graduation(cluster(), token, payer.publicKey);
    await expectRefused(cluster(), [...once, ...once.slice(1)], [], '6005 LogicalError');
    await sendGraduation(cluster(), token);
    await expectRefused(cluster(), once, [], '6005 LogicalError');
  });

  it('Given a graduation with a swap in the same transaction, when it is sent, then the AMM refuses the swap, because the pool is not open yet', async () => {
    const token = await launchSoldOut(cluster());
    const { connection, payer } = cluster();
    const [owner, amountIn] = [payer.publicKey, 1_000_000n];
    await cluster().send([createTokenAccountIfMissing(owner, owner, NATIVE_MINT_ADDRESS)], [payer]);
    const from = associatedTokenAddress(owner, token.mint).address;
    const to = associatedTokenAddress(owner, NATIVE_MINT_ADDRESS).address;
    const swap = AMM.swap(token.pool, { owner, input: 'token', from, to, amountIn, minAmountOut: 0n });
    const together = [...graduation(cluster(), token, owner), swap];
    await expectRefused(cluster(), together, [], `${AMM.programId.toBase58()} 6000`);
    const [tokens, wrapped] = [await tokensOf(connection, from), await tokensOf(connection, to)];
    await sendGraduation(cluster(), token);
    await untilOpen(cluster(), token);
    await cluster().send([swap], [payer]);
    expect(await tokensOf(connection, from)).to.equal(tokens - amountIn);
    expect((await tokensOf(connection, to)) > wrapped).to.equal(true);
  });

  it('Given a deployment whose fee receiver is a keypair, when graduate is built, then the error says that its owner migrates', () => {
    const { mint } = { mint: cluster().payer.publicKey };
    expect(() => graduate({ mint, payer: mint, deployment: KEY_HELD_DEPLOYMENT })).to.throw(
      InvalidArgumentError,
      'its holder calls migrate',
    );
  });
});
