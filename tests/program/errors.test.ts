// Raises every program error from every instruction that can raise it. Each must arrive as a typed error from a
// simulation, from a node that refuses the transaction, and from a transaction that failed on chain.
import type { Keypair, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  compileTransaction,
  isProgramError,
  KEY_HELD_DEPLOYMENT,
  PROGRAM_ERRORS,
  ProgramError,
  sendAndConfirm,
  simulateComputeUnits,
  type InstructionName,
  type ProgramErrorCode,
} from '@curvekit/sdk';
import { useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { rejection } from '#tests/mocha/failures.js';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import { setScene, type Scene } from '#tests/program/scene.js';
import { U64_MAX } from '#tests/constants.js';

const { rawAdminSetProperties, rawBuyToken, rawCreateToken, rawMigrate, rawSellToken, rawValidateLogRecord } =
  rawInstructions(KEY_HELD_DEPLOYMENT);

type Codes = Partial<Record<ProgramErrorCode, (scene: Scene, payer: Keypair) => TransactionInstruction>>;

/** How to raise each error that an instruction can raise. The payer holds tokens of every graduated curve. */
const PROVOCATIONS: Readonly<Record<InstructionName, Codes>> = {
  createToken: {
    6000: ({ newMint }, payer) => rawCreateToken(newMint, payer.publicKey, { args: { pdaTokenNonce: 0 } }),
    6005: ({ newMint }, payer) =>
      rawCreateToken(newMint, payer.publicKey, { args: { afterMigrationFee: 1 } }),
  },
  buyToken: {
    6000: ({ token, trader }) => rawBuyToken(token.mint, trader.publicKey, { args: { pdaTokenNonce: 0 } }),
    6001: ({ graduated }, payer) => rawBuyToken(graduated.mint, payer.publicKey),
    6003: ({ token, trader }) =>
      rawBuyToken(token.mint, trader.publicKey, { args: { minTokenToReceive: U64_MAX } }),
    6004: ({ token, trader, stranger }) =>
      rawBuyToken(token.mint, trader.publicKey, { accounts: { feeAccount: stranger.publicKey } }),
    6005: ({ token, trader }) => rawBuyToken(token.mint, trader.publicKey, { args: { solToSpend: 0n } }),
  },
  sellToken: {
    6000: ({ token, trader }) => rawSellToken(token.mint, trader.publicKey, { args: { pdaTokenNonce: 0 } }),
    6001: ({ graduated }, payer) => rawSellToken(graduated.mint, payer.publicKey),
    6003: ({ token, trader }) =>
      rawSellToken(token.mint, trader.publicKey, { args: { minSolToReceive: U64_MAX } }),
    6004: ({ token, trader, stranger }) =>
      rawSellToken(token.mint, trader.publicKey, { accounts: { feeAccount: stranger.publicKey } }),
    6005: ({ token, trader }) => rawSellToken(token.mint, trader.publicKey, { args: { tokenToSpend: 0n } }),
  },
  migrate: {
    6000: ({ graduated }) => rawMigrate(graduated.mint, { args: { pdaTokenNonce: 0 } }),
    6002: ({ other }) => rawMigrate(other.mint),
    6004: ({ graduated, stranger }) =>
      rawMigrate(graduated.mint, { accounts: { feeAccount: stranger.publicKey } }),
    6005: ({ otherGraduated }) => rawMigrate(otherGraduated.mint),
  },
  validateLogRecord: {
    6005: () => rawValidateLogRecord({ args: { loggingAccountBump: 0 } }),
  },
  adminSetProperties: {
    6005: () => rawAdminSetProperties({ args: { platformFeeBps: 1_001 } }),
  },
};

describe('program errors', () => {
  const cluster = useKeyHeldCluster();
  let scene: Scene;

  before('set the scene, with one curve migrated', async () => {
    scene = await setScene(cluster());
    const { payer, feeReceiver } = cluster();
    await cluster().send([rawMigrate(scene.otherGraduated.mint)], [payer, feeReceiver]);
  });

  it('each of the six can be raised', () => {
    const raised = new Set(Object.values(PROVOCATIONS).flatMap((codes) => Object.keys(codes)));
    expect([...raised].sort()).to.deep.equal(Object.keys(PROGRAM_ERRORS));
  });

  for (const [instructionName, codes] of Object.entries(PROVOCATIONS)) {
    for (const [text, provoke] of Object.entries(codes)) {
      const code = Number(text) as ProgramErrorCode;
      const { name, message } = PROGRAM_ERRORS[code];

      describe(`${instructionName} raises ${code} ${name}`, () => {
        it('in a simulation', async () => {
          const { connection, payer } = cluster();
          const parts = { payer: payer.publicKey, instructions: [provoke(scene, payer)] };
          const error = await rejection(simulateComputeUnits(connection, parts), ProgramError);
          // Index 1: the simulation puts a compute-budget instruction first.
          expectTyped(error, 1);
        });

        // Only a simulation can reach this: no key can sign for the log authority.
        if (instructionName === 'validateLogRecord') return;

        it('from the node that refuses the transaction', async () => {
          const { connection, payer } = cluster();
          const instruction = provoke(scene, payer);
          const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
          const parts = { payer: payer.publicKey, instructions: [instruction] };
          const transaction = compileTransaction(parts, blockhash);
          transaction.sign([payer, ...signersOf(instruction)]);
          const sending = sendAndConfirm(connection, { transaction, lastValidBlockHeight });
          expectTyped(await rejection(sending, ProgramError));
        });

        it('from the transaction that failed', async () => {
          const { payer } = cluster();
          const instruction = provoke(scene, payer);
          const sending = cluster().send([instruction], [payer, ...signersOf(instruction)]);
          const error = await rejection(sending, ProgramError);
          expectTyped(error);
          expect(error.signature).to.match(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
        });
      });

      /** Checks code, name, instruction and message of the error. */
      const expectTyped = (error: ProgramError, index = 0): void => {
        expect(isProgramError(error, name)).to.equal(true);
        expect(error).to.include({ code, name, reason: name });
        expect(error.instruction).to.deep.equal({ index, name: instructionName });
        expect(error.message).to.equal(
          `instruction ${index} (${instructionName}) failed: ${name} (${code}): ${message}`,
        );
        expect(error.logs?.join('\n')).to.include(`Error Code: ${name}`);
      };
    }
  }

  function signersOf({ keys }: TransactionInstruction): Keypair[] {
    const { admin, feeReceiver } = cluster();
    return [scene.trader, scene.stranger, admin, feeReceiver].filter(({ publicKey }) =>
      keys.some(({ pubkey, isSigner }) => isSigner && pubkey.equals(publicKey)),
    );
  }
});
