// Forged records. tests/differential has the other signers and bumps. threat: forged-record, false-records
import { Keypair, PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  compileTransaction,
  decodeRecords,
  encodeTradeRecord,
  LOGGING_AUTHORITY_ADDRESS,
  PROGRAM_ADDRESS,
  simulationError,
  type TransactionError,
} from '@curvekit/sdk';
import type { SentTransaction } from '@curvekit/testing';
import { snapshot } from '#tests/cluster/accounts.js';
import { withAccount, withData } from '#tests/program/altered.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { rawBuyToken, rawValidateLogRecord } from '#tests/program/raw-instructions.js';
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

  /** A record of a trade that never happened: a million SOL for nothing. */
  function forgedRecord(): Uint8Array {
    return encodeTradeRecord({
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
  }

  /** The program's call to itself, with a forged record after its argument. */
  function forgery(): TransactionInstruction {
    const call = rawValidateLogRecord();
    return withData(call, Buffer.concat([call.data, forgedRecord()]));
  }

  describe('Given a trade', () => {
    it('when the program logs it, then it calls itself once, with only the log authority as account', () => {
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

    it('when the call is made, then no account exists at the address of the log authority', async () => {
      const address = LOGGING_AUTHORITY_ADDRESS;
      const { [address.toBase58()]: state } = await snapshot(cluster().connection, [address]);
      expect(state).to.deep.equal({ lamports: 0n, owner: undefined, data: '' });
    });
  });

  describe('Given a wallet that forges a record', () => {
    it('when the log authority has not signed, then the call is refused', async () => {
      const unsigned = withAccount(forgery(), 0, { isSigner: false });
      const error = await expectRefused(cluster(), [unsigned], [], '3010 AccountNotSigner');
      expect(error.instruction).to.deep.equal({ index: 0, name: 'validateLogRecord' });
    });

    it('when the real log authority is named behind a fake signer, then only the first account counts', async () => {
      const fake = Keypair.generate();
      const call = forgery();
      call.keys.unshift({ pubkey: fake.publicKey, isSigner: true, isWritable: false });
      call.keys[1] = { pubkey: LOGGING_AUTHORITY_ADDRESS, isSigner: false, isWritable: false };
      await expectRefused(cluster(), [call], [fake], '2012 ConstraintAddress');
    });

    it('when it follows a real trade in the transaction, then the trade fails too', async () => {
      const { payer } = cluster();
      const unsigned = withAccount(forgery(), 0, { isSigner: false });
      const trade = rawBuyToken(token.mint, payer.publicKey);
      await expectRefused(cluster(), [trade, unsigned], [], '3010 AccountNotSigner');
    });
  });

  // No key exists for the log authority. Only a simulation can skip the signature check and reach the code after it.
  describe('Given a simulation that does not verify the signature of the log authority', () => {
    it('when the bump is canonical, then the call succeeds, and changes nothing', async () => {
      expect(await simulate(rawValidateLogRecord())).to.equal(null);
      expect(await simulate(forgery())).to.equal(null);
    });

    async function simulate(instruction: TransactionInstruction): Promise<TransactionError | null> {
      const { connection, payer } = cluster();
      const parts = { payer: payer.publicKey, instructions: [instruction] };
      const transaction = compileTransaction(parts, PublicKey.default.toBase58());
      const options = { sigVerify: false, replaceRecentBlockhash: true };
      const { value } = await connection.simulateTransaction(transaction, options);
      return simulationError(value, { instructions: transaction });
    }
  });
});
