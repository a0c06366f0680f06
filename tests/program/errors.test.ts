// Each program error must arrive as a typed error from a simulation, from a node that refuses the transaction, and from a
// transaction that failed on chain. tests/differential raises each from every instruction.
import type { TransactionInstruction } from '@solana/web3.js';
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
import { U64_MAX } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import { buyTokens, launch, launchGraduated, openTokenAccount, type Token } from '#tests/program/tokens.js';

const { rawAdminSetProperties, rawBuyToken, rawMigrate, rawSellToken } = rawInstructions(KEY_HELD_DEPLOYMENT);

describe('program errors', () => {
  const cluster = useKeyHeldCluster();
  let token: Token;
  let graduated: Token;

  before(async () => {
    graduated = await launchGraduated(cluster());
    token = await launch(cluster());
    await buyTokens(cluster(), token, cluster().payer, 1_000_000_000n);
    await openTokenAccount(cluster(), cluster().feeReceiver.publicKey, token.mint);
  });

  const me = () => cluster().payer.publicKey;
  const RAISED: Readonly<Record<ProgramErrorCode, [InstructionName, () => TransactionInstruction]>> = {
    6000: ['buyToken', () => rawBuyToken(token.mint, me(), { args: { pdaTokenNonce: 0 } })],
    6001: ['sellToken', () => rawSellToken(graduated.mint, me())],
    6002: ['migrate', () => rawMigrate(token.mint)],
    6003: ['sellToken', () => rawSellToken(token.mint, me(), { args: { minSolToReceive: U64_MAX } })],
    6004: ['buyToken', () => rawBuyToken(token.mint, me(), { accounts: { feeAccount: me() } })],
    6005: ['adminSetProperties', () => rawAdminSetProperties({ args: { platformFeeBps: 1_001 } })],
  };

  for (const [text, { name, message }] of Object.entries(PROGRAM_ERRORS)) {
    const code = Number(text) as ProgramErrorCode;
    const [instruction, raise] = RAISED[code];

    it(`${code} ${name} of ${instruction} arrives from a simulation, a node and the chain`, async () => {
      const { connection, payer, admin, feeReceiver } = cluster();
      const parts = { payer: payer.publicKey, instructions: [raise()] };
      const others = [admin, feeReceiver].filter(({ publicKey }) =>
        parts.instructions[0]!.keys.some(({ pubkey, isSigner }) => isSigner && pubkey.equals(publicKey)),
      );
      // Index 1: the simulation puts a compute-budget instruction first.
      expectTyped(await rejection(simulateComputeUnits(connection, parts), ProgramError), 1);

      const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
      const transaction = compileTransaction(parts, blockhash);
      transaction.sign([payer, ...others]);
      const sending = sendAndConfirm(connection, { transaction, lastValidBlockHeight });
      expectTyped(await rejection(sending, ProgramError), 0);

      const failed = await rejection(cluster().send(parts.instructions, [payer, ...others]), ProgramError);
      expectTyped(failed, 0);
      expect(failed.signature).to.match(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/);
    });

    const expectTyped = (error: ProgramError, index: number): void => {
      expect(isProgramError(error, name)).to.equal(true);
      expect(error).to.include({ code, name, reason: name });
      expect(error.instruction).to.deep.equal({ index, name: instruction });
      expect(error.message).to.equal(
        `instruction ${index} (${instruction}) failed: ${name} (${code}): ${message}`,
      );
      expect(error.logs?.join('\n')).to.include(`Error Code: ${name}`);
    };
  }
});
