// Only the admin can sweep platform fees to the treasury. Only the program can log records. threat: fee-receiver-takes, forged-graduate-record
import { Keypair, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { decodeRecords, encodeGraduateRecord, sweepFees } from '@curvekit/sdk';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { VALIDATE_LOG_RECORD_DISCRIMINATOR } from '#sdk/generated/graduation/instructions.js';
import { describeOnAmms } from '#tests/graduation/amms.js';
import { graduateRecord, graduation, launchSoldOut, sendGraduation } from '#tests/graduation/graduating.js';
import { SOL } from '#tests/constants.js';

const NOTHING = '6006 NothingToSweep';

describeOnAmms('sweep', (cluster) => {
  const feeReceiver = () => cluster().deployment.graduation.feeReceiver.address;
  const treasury = () => cluster().deployment.graduation.treasury;
  const sweep = () => sweepFees({ deployment: cluster().deployment });

  async function held(): Promise<{ fees: bigint; treasury: bigint }> {
    const { connection } = cluster();
    const rent = await rentOf(connection, 0);
    return {
      fees: (await lamportsOf(connection, feeReceiver())) - rent,
      treasury: await lamportsOf(connection, treasury()),
    };
  }

  it('Given sweeps around a graduation in one transaction, when it is sent, then the treasury gets only fees', async () => {
    const token = await launchSoldOut(cluster());
    const { admin } = cluster();
    const [budget, call] = graduation(cluster(), token, admin.publicKey);
    const twice = [budget!, ...sweep(), call!, ...sweep()];
    await expectRefused(cluster(), twice, [admin], NOTHING);
    const before = await held();
    const record = graduateRecord(await cluster().send([budget!, call!, ...sweep()], [admin]), cluster());
    expect(await held()).to.deep.equal({ fees: 0n, treasury: before.treasury + before.fees });
    expect(record.poolSol > 83n * SOL).to.equal(true);
  });

  it('Given a forged record, when a wallet logs it, then the program refuses', async () => {
    const { deployment, payer } = cluster();
    const stranger = Keypair.generate();
    const record = encodeGraduateRecord({
      mint: payer.publicKey,
      pool: payer.publicKey,
      ...{
        poolSol: 1n,
        poolToken: 1n,
        communitySol: 1n,
        communityToken: 1n,
        burnt: 1n,
        costs: 1n,
        lpBurnt: 1n,
      },
      timestamp: 1n,
    });
    const data = Buffer.concat([VALIDATE_LOG_RECORD_DISCRIMINATOR, record]);
    const forged = (isSigner: boolean, pubkey = stranger.publicKey) =>
      new TransactionInstruction({
        programId: deployment.graduation.programId,
        keys: [{ pubkey, isSigner, isWritable: false }],
        data,
      });
    await expectRefused(cluster(), [forged(true)], [stranger], '2012 ConstraintAddress');
    await expectRefused(cluster(), [forged(false, feeReceiver())], [], '3010 AccountNotSigner');
    const token = await launchSoldOut(cluster());
    const { transaction } = await sendGraduation(cluster(), token);
    expect(
      decodeRecords(transaction, {
        deployment: {
          ...deployment,
          graduation: { ...deployment.graduation, programId: payer.publicKey },
        },
      }).map(({ kind }) => kind),
    ).to.deep.equal(['migrate']);
  });
});
