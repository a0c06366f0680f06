// Forged records. tests/differential has the other signers and bumps. threat: forged-record, false-records
import { Keypair, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { decodeRecords, encodeTradeRecord, LOGGING_AUTHORITY_ADDRESS, PROGRAM_ADDRESS } from '@curvekit/sdk';
import type { SentTransaction } from '@curvekit/testing';
import { useCluster } from '#tests/cluster/cluster.js';
import { rawValidateLogRecord } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

describe('validateLogRecord', () => {
  const cluster = useCluster();
  let token: Token;
  let bought: SentTransaction;

  before(async () => {
    token = await launch(cluster());
    bought = await buyTokens(cluster(), token, cluster().payer, SOL);
  });

  it('Given a trade, when the program logs it, then it calls itself once, with only the log authority as account', () => {
    const { message } = bought.transaction.transaction;
    const keys = message.staticAccountKeys;
    const calls = bought.transaction
      .meta!.innerInstructions!.flatMap(({ instructions }) => instructions)
      .filter(({ programIdIndex }) => keys[programIdIndex]!.equals(PROGRAM_ADDRESS));
    expect(calls).to.have.lengthOf(1);
    expect(calls[0]!.accounts.map((index) => keys[index])).to.deep.equal([LOGGING_AUTHORITY_ADDRESS]);
    const [record] = decodeRecords(bought.transaction);
    expect(record).to.have.property('kind', 'trade');
  });

  it('Given a forged record, when the real log authority is named behind a fake signer, then only the first account counts', async () => {
    const { data, ...call } = rawValidateLogRecord();
    // A trade that never happened: a million SOL for nothing.
    const record = encodeTradeRecord({
      mint: token.mint,
      trader: cluster().payer.publicKey,
      isBuy: false,
      solAmount: 1_000_000n * SOL,
      tokenAmount: 0n,
      fee: 0n,
      virtualSol: 1n,
      virtualToken: 1n,
      finalized: true,
      timestamp: 0n,
    });
    const fake = Keypair.generate();
    const keys = [
      { pubkey: fake.publicKey, isSigner: true, isWritable: false },
      { pubkey: LOGGING_AUTHORITY_ADDRESS, isSigner: false, isWritable: false },
    ];
    const forgery = new TransactionInstruction({ ...call, keys, data: Buffer.concat([data, record]) });
    await expectRefused(cluster(), [forgery], [fake], '2012 ConstraintAddress');
  });
});
