// Settlements read from the chain, with the memo that names them and without, as earlier versions made them. threat: forged-memo, payment-lookalike
import { Keypair, PublicKey, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { communityTokenStorageAddress, communityWsolStorageAddress } from '@curvekit/sdk';
import type { ChainTransaction } from '#app/reconciliation/chain-transaction.js';
import { partsOf, takingIn } from '#app/reconciliation/settlement-payment.js';
import {
  memoInstruction,
  MEMO_PROGRAM_ADDRESS,
  readMemo,
  writeMemo,
} from '#app/graduation/settlement/payment/memo.js';
import { splitSol, splitTokens } from '#app/graduation/settlement/payment/split.js';
import { settlementInstructions } from '#app/graduation/settlement/payment/transaction.js';
import { signedBy } from '#tests/service/on-chain.js';
import { settledAs, type Settled } from '#tests/service/settlement-payments.js';

const ID = 17;
const SHARES = { burnBps: 1_111, holdersBps: 3_333, lpBps: 2_222 };

const treasury = Keypair.generate();
const mint = Keypair.generate().publicKey;
const treasuries = new Set([treasury.publicKey.toBase58()]);

describe('settlements read from the chain', () => {
  const dexOwner = Keypair.generate();
  const lp = Keypair.generate().publicKey;
  const creator = Keypair.generate().publicKey;
  const token = { ...SHARES, mint: mint.toBase58() };
  const receivers = { treasuries, creator: creator.toBase58() };

  const memoOf = (settled: Settled) => memoInstruction({ id: ID, ...settledAs(settled, SHARES).division });

  function paid(settled: Settled, ...memos: TransactionInstruction[]): ChainTransaction {
    const unwrapping = Keypair.generate();
    const instructions = settlementInstructions({
      mint,
      dexOwner: dexOwner.publicKey,
      wsolStorage: communityWsolStorageAddress(mint).address,
      tokenStorage: communityTokenStorageAddress(mint).address,
      treasury: treasury.publicKey,
      lp,
      creator,
      opensCreatorAccount: true,
      ...settledAs(settled, SHARES).amounts,
      unwrapping: unwrapping.publicKey,
      tokenAccountRent: 2_039_280,
    });
    return signedBy(dexOwner, [...memos, ...instructions], ...(settled.sol > 0n ? [unwrapping] : []));
  }

  const read = (transaction: ChainTransaction) =>
    partsOf(takingIn(transaction, dexOwner.publicKey.toBase58()), token, receivers);

  it('are parsed into exactly the parts that were paid', () => {
    for (const sol of [0n, 1n, 7n, 1_000_000_003n, 18_446_744_073_709n]) {
      for (const units of [0n, 3n, 5_000_011n, 999_999_999_999_989n]) {
        for (const hasHolders of [true, false]) {
          for (const isCredited of [true, false]) {
            if (sol === 0n && units === 0n) continue;
            const settled = { sol, units, hasHolders, isCredited };
            const parts = read(paid(settled));
            const what = JSON.stringify([String(sol), String(units), hasHolders, isCredited]);
            expect(parts?.sol.taken, what).to.equal(sol);
            expect(parts?.token.taken, what).to.equal(units);
            // Two cases look the same: the creator credited with all, or holders and creator credited. Only the sum is
            // known.
            const sides = [
              [parts!.sol, splitSol(sol, SHARES, hasHolders)],
              [parts!.token, splitTokens(units, SHARES, hasHolders)],
            ] as const;
            for (const [side, split] of sides) {
              expect(side.parts.holders + side.creatorCredited, what).to.equal(
                split.holders + (isCredited ? split.creator : 0n),
              );
              expect(side.parts.lp, what).to.equal(split.lp);
              expect(side.parts.burn, what).to.equal(split.burn);
            }
            // A memo tells the cases apart.
            const named = read(paid(settled, memoOf(settled)));
            for (const [side, split] of [
              [named!.sol, sides[0][1]],
              [named!.token, sides[1][1]],
            ] as const) {
              expect(side.parts, what).to.deep.equal(split);
              expect(side.creatorCredited, what).to.equal(isCredited ? split.creator : 0n);
            }
          }
        }
      }
    }
  });

  it('are not recognised with one unit elsewhere, another creator or another treasury', () => {
    const settled = paid({ sol: 1_000_003n, units: 5_000_011n, hasHolders: true, isCredited: false });
    expect(read(settled)).not.to.equal(undefined);
    const taking = takingIn(settled, dexOwner.publicKey.toBase58());
    for (const index of taking.solTransfers.keys()) {
      const solTransfers = taking.solTransfers.map((transfer, at) =>
        at === index ? { ...transfer, amount: transfer.amount + 1n } : transfer,
      );
      expect(partsOf({ ...taking, solTransfers }, token, receivers)).to.equal(undefined);
    }
    const stranger = Keypair.generate().publicKey.toBase58();
    expect(partsOf(taking, token, { ...receivers, creator: stranger })).to.equal(undefined);
    expect(partsOf(taking, token, { ...receivers, treasuries: new Set([stranger]) })).to.equal(undefined);
  });

  it('do not include transfers that other wallets take from their own accounts', () => {
    const settled = paid({ sol: 1_000_003n, units: 5_000_011n, hasHolders: true, isCredited: false });
    const taking = takingIn(settled, Keypair.generate().publicKey.toBase58());
    expect([taking.sol, taking.burned, taking.tokenTransfers, taking.solTransfers]).to.deep.equal([
      0n,
      0n,
      [],
      [],
    ]);
    expect(taking.isUnderstood).to.equal(false);
  });

  const SETTLED = { sol: 1_000_003n, units: 5_000_011n, hasHolders: true, isCredited: true };
  const { division } = settledAs(SETTLED, SHARES);
  const text = writeMemo({ id: ID, ...division });
  const withData = (data: string | Uint8Array, keys: TransactionInstruction['keys'] = []) =>
    new TransactionInstruction({ programId: MEMO_PROGRAM_ADDRESS, keys, data: Buffer.from(data) });

  it('have the name that the memo gives them, wherever the memo stands', () => {
    expect(text).to.equal('curvekit settlement 17 holders 333301 1666504 creator 444501 1667004');
    const first = paid(SETTLED, memoOf(SETTLED));
    const last = { ...first, instructions: [...first.instructions.slice(1), first.instructions[0]!] };
    for (const transaction of [first, last]) {
      const taking = takingIn(transaction, dexOwner.publicKey.toBase58());
      expect(taking.name).to.deep.equal({ id: ID, ...division });
      expect(partsOf(taking, token, receivers)).not.to.equal(undefined);
    }
  });

  const signer = { pubkey: dexOwner.publicKey, isSigner: true, isWritable: true };
  const forged = (changes: Partial<typeof division>) => memoInstruction({ id: ID, ...division, ...changes });
  const refused: readonly (readonly [what: string, ...memos: TransactionInstruction[]])[] = [
    ['a memo with one lamport more for the holders', forged({ solHolders: division.solHolders + 1n })],
    ['a memo with one unit less for the holders', forged({ tokenHolders: division.tokenHolders - 1n })],
    [
      'a memo that moves a lamport from the creator to the holders, which pays the same',
      forged({
        solHolders: division.solHolders + 1n,
        solCreatorCredited: division.solCreatorCredited - 1n,
      }),
    ],
    [
      "a memo that gives all of the treasury's part to the holders",
      forged({ solHolders: division.solHolders + division.solCreatorCredited, solCreatorCredited: 0n }),
    ],
    ['a memo that credits the creator with nothing', forged({ solCreatorCredited: 0n })],
    ['a memo of a settlement without holders', forged({ solHolders: 0n, tokenHolders: 0n })],
    ['two memos', memoOf(SETTLED), memoOf(SETTLED)],
    ['a memo and a text', memoOf(SETTLED), withData('paid')],
    ['a memo of another version', withData(text.replace('settlement', 'settlement/2'))],
    ['a memo with more words', withData(`${text} burn 5`)],
    ['a memo with fewer words', withData('curvekit settlement 17')],
    ['a memo of another kind', withData('curvekit claim 17')],
    ['a text of somebody else', withData('thank you')],
    ['an empty memo', withData('')],
    ['a memo with accounts', withData(text, [signer])],
    [
      'a memo of an old program',
      new TransactionInstruction({
        programId: new PublicKey('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'),
        keys: [],
        data: Buffer.from(text),
      }),
    ],
  ];
  for (const [what, ...memos] of refused)
    it(`are not recognised with ${what}`, () => {
      expect(read(paid(SETTLED, ...memos))).to.equal(undefined);
    });

  it('have a memo in one form only', () => {
    expect(readMemo(text)).to.deep.equal({ id: ID, ...division });
    for (const other of [
      text.replace('17', '017'),
      text.replace('17', '-17'),
      text.replace('17', '1e3'),
      text.replace('17', '9007199254740993'),
      text.replace('17', 'NaN'),
      'curvekit settlement NaN holders 0 0 creator 0 0',
      text.replace('holders ', 'holders 0'),
      text.replace(' creator', '  creator'),
      text.replace('333301', '٣٣'),
      `${text}\n`,
      ` ${text}`,
      text.toUpperCase(),
    ])
      expect(readMemo(other), other).to.equal(undefined);
  });
});
