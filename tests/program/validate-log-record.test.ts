// Forged records. tests/differential has the other signers and bumps, and the calls that log true ones. threat: forged-record, false-records
import { Keypair, TransactionInstruction } from '@solana/web3.js';
import { encodeTradeRecord, LOGGING_AUTHORITY_ADDRESS } from '@curvekit/sdk';
import { useCluster } from '#tests/cluster/cluster.js';
import { rawValidateLogRecord } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { SOL } from '#tests/constants.js';

describe('validateLogRecord', () => {
  const cluster = useCluster();

  it('Given a forged record, when the real log authority is named behind a fake signer, then only the first account counts', async () => {
    const { data, ...call } = rawValidateLogRecord();
    // A trade that never happened: a million SOL for nothing.
    const record = encodeTradeRecord({
      mint: Keypair.generate().publicKey,
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
