import { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { InvalidArgumentError } from '../src/errors/index.js';
import { buy } from '../src/instructions/index.js';
import { compileTransaction, MAX_TRANSACTION_SIZE } from '../src/transactions/prepare.js';

const payer = Keypair.generate().publicKey;
const mint = Keypair.generate().publicKey;
const blockhash = PublicKey.default.toBase58();
const instructions = buy({ mint, payer, solToSpend: 1n, minTokenToReceive: 0n });

/** An instruction with `bytes` bytes of data, to make a transaction larger. */
function ballast(bytes: number): TransactionInstruction {
  return new TransactionInstruction({ programId: mint, keys: [], data: Buffer.alloc(bytes) });
}

describe('compileTransaction', () => {
  it('refuses a transaction that is one byte too large', () => {
    const empty =
      compileTransaction({ payer, instructions: [ballast(200)] }, blockhash).serialize().length - 200;
    const most = MAX_TRANSACTION_SIZE - empty;
    expect(
      compileTransaction({ payer, instructions: [ballast(most)] }, blockhash).serialize(),
    ).to.have.lengthOf(MAX_TRANSACTION_SIZE);
    for (const size of [most + 1, most + 70, 5_000]) {
      expect(() => compileTransaction({ payer, instructions: [ballast(size)] }, blockhash))
        .to.throw(InvalidArgumentError, `at most ${MAX_TRANSACTION_SIZE} fit`)
        .with.property('argument', 'instructions');
    }
  });

  it('refuses values out of range, and names the argument', () => {
    for (const [argument, wrong] of [
      ['computeUnitLimit', 0],
      ['computeUnitLimit', 1_400_001],
      ['computeUnitLimit', 1.5],
      ['computeUnitPrice', -1n],
      ['computeUnitPrice', 2n ** 64n],
      ['payer', payer.toBase58()],
    ] as const) {
      expect(() => compileTransaction({ payer, instructions, [argument]: wrong }, blockhash))
        .to.throw(InvalidArgumentError)
        .with.property('argument', argument);
    }
  });
});
