// What tests/program/errors.test.ts does not raise on a cluster.
import {
  Keypair,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { LangErrorCode } from '@coral-xyz/anchor';
import { expect } from 'chai';
import { createDeployment, DEFAULT_DEPLOYMENT } from '../src/accounts/deployment.js';
import { FrameworkError, InstructionError, ProgramError, TransactionError } from '../src/errors/index.js';
import { frameworkErrorName } from '../src/errors/framework.js';
import { TOKEN_PROGRAM_ADDRESS } from '../src/generated/program.js';
import { buy } from '../src/instructions/index.js';
import { sendError, transactionError } from '../src/transactions/errors.js';

const payer = Keypair.generate().publicKey;
const mint = Keypair.generate().publicKey;
const OURS = DEFAULT_DEPLOYMENT.programId.toBase58();
const TOKEN = TOKEN_PROGRAM_ADDRESS.toBase58();
const ROUTER = Keypair.generate().publicKey.toBase58();

const transfer = SystemProgram.transfer({ fromPubkey: payer, toPubkey: mint, lamports: 1 });
const [, trade] = buy({ mint, payer, solToSpend: 1n, minTokenToReceive: 0n });
const instructions = [transfer, trade!];

const failed = (program: string, code = 0x1773) =>
  `Program ${program} failed: custom program error: 0x${code.toString(16)}`;
const custom = (code: number, index = 1) => ({ InstructionError: [index, { Custom: code }] });

function compiled(list: readonly TransactionInstruction[]): VersionedTransaction {
  const message = new TransactionMessage({
    payerKey: payer,
    recentBlockhash: PublicKey.default.toBase58(),
    instructions: [...list],
  });
  return new VersionedTransaction(message.compileToV0Message());
}

describe('typed errors of failed transactions', () => {
  it('know Anchor’s own errors by name', () => {
    const error = transactionError(custom(2006), { logs: [failed(OURS, 2006)], instructions });
    expect(error).to.be.instanceOf(FrameworkError);
    expect(error).to.include({ code: 2006, errorName: 'ConstraintSeeds', reason: 'ConstraintSeeds' });
  });

  it('know every error that @coral-xyz/anchor knows', () => {
    for (const [name, code] of Object.entries(LangErrorCode)) expect(frameworkErrorName(code)).to.equal(name);
    for (const code of [0, 99, 104, 1_999, 2_499, 3_999, 6_000, 2 ** 32 - 1]) {
      expect(frameworkErrorName(code)).to.equal(undefined);
    }
  });

  it('do not mistake another program’s 6003 for ours', () => {
    for (const context of [
      { logs: [failed(ROUTER)] },
      { instructions: [transfer, { ...trade!, programId: mint }] },
    ]) {
      const error = transactionError(custom(6003), context);
      expect(error).to.be.instanceOf(InstructionError);
      expect(error).to.include({ code: 6003, reason: 'Custom' });
    }
  });

  it('find our error inside another program’s instruction, by the log', () => {
    const logs = [`Program ${ROUTER} invoke [1]`, `Program ${OURS} invoke [2]`, failed(OURS), failed(ROUTER)];
    const error = transactionError(custom(6003), {
      logs,
      instructions: [transfer, { ...trade!, programId: mint }],
    });
    expect(error).to.be.instanceOf(ProgramError);
    expect(error.instruction).to.deep.equal({ index: 1, name: undefined });
  });

  it('find a token program’s error inside our instruction', () => {
    const logs = [
      `Program ${OURS} invoke [1]`,
      `Program ${TOKEN} invoke [2]`,
      failed(TOKEN, 1),
      failed(OURS, 1),
    ];
    const error = transactionError(custom(1), { logs, instructions });
    expect(error).to.be.instanceOf(InstructionError);
    expect(error).to.include({ programId: TOKEN, code: 1 });
    expect(error.instruction).to.deep.equal({ index: 1, name: 'buyToken' });
    expect(error.message).to.include('error 1 (0x1)').and.include(TOKEN);
  });

  it('use the instruction’s program when there is no log', () => {
    expect(transactionError(custom(6003), { instructions })).to.be.instanceOf(ProgramError);
    expect(transactionError(custom(6003), { instructions: compiled(instructions) })).to.be.instanceOf(
      ProgramError,
    );
    const error = transactionError(custom(6003));
    expect(error).to.be.instanceOf(InstructionError);
    expect(error).to.include({ programId: undefined });
  });

  it('use the program of the deployment', () => {
    const deployment = createDeployment({ ...DEFAULT_DEPLOYMENT, programId: new PublicKey(ROUTER) });
    expect(transactionError(custom(6003), { logs: [failed(ROUTER)], deployment })).to.be.instanceOf(
      ProgramError,
    );
    expect(transactionError(custom(6003), { logs: [failed(OURS)], deployment })).to.be.instanceOf(
      InstructionError,
    );
  });

  it('have the runtime’s reason', () => {
    const runtime = transactionError(
      { InstructionError: [0, 'ComputationalBudgetExceeded'] },
      { instructions },
    );
    expect(runtime).to.be.instanceOf(InstructionError);
    expect(runtime).to.include({ reason: 'ComputationalBudgetExceeded', code: undefined });
    const borsh = transactionError({ InstructionError: [0, { BorshIoError: 'x' }] });
    expect(borsh.reason).to.equal('BorshIoError');
    const rent = transactionError({ InsufficientFundsForRent: { account_index: 1 } });
    expect(rent).to.be.instanceOf(TransactionError).and.to.include({ reason: 'InsufficientFundsForRent' });
    expect(transactionError('BlockhashNotFound')).to.include({
      reason: 'BlockhashNotFound',
      instruction: undefined,
    });
  });
});

describe('typed errors are made of', () => {
  it('a transaction that the runtime refused in the preflight', () => {
    const send = (transactionMessage: string) =>
      sendError(new SendTransactionError({ action: 'send', signature: '', transactionMessage, logs: [] }));
    const rent = send(
      'Transaction simulation failed: Error processing Instruction 0: insufficient funds for instruction',
    );
    expect(rent)
      .to.be.instanceOf(InstructionError)
      .and.to.include({ reason: 'insufficient funds for instruction' });
    expect(rent?.instruction?.index).to.equal(0);
    const stale = send('Transaction simulation failed: Blockhash not found');
    expect(stale).to.be.instanceOf(TransactionError).and.to.include({ reason: 'Blockhash not found' });
    expect(stale?.instruction).to.equal(undefined);
  });

  it('no other value', () => {
    for (const other of [new Error('fetch failed'), null, undefined, 'text', { transactionError: {} }]) {
      expect(sendError(other)).to.equal(undefined);
    }
  });
});
