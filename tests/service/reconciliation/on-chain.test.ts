// Payments read from the chain: every claim and settlement that the service builds is recognised completely, with the memo that names
// a settlement and without, and no other transaction is. threat: payment-lookalike, forged-memo
import { createTransferCheckedInstruction } from '@solana/spl-token';
import {
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  type VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  communityTokenStorageAddress,
  communityWsolStorageAddress,
  compileTransaction,
  TOKEN_DECIMALS,
} from '@curvekit/sdk';
import { claimInstructions, claimTransaction, type ClaimOrder } from '#app/claims/transaction.js';
import { readTransaction, type ChainTransaction } from '#app/reconciliation/chain-transaction.js';
import { claimPaymentIn } from '#app/reconciliation/claim-payment.js';
import { partsOf, takingIn } from '#app/reconciliation/settlement-payment.js';
import { memoInstruction, MEMO_PROGRAM_ADDRESS, writeMemo } from '#app/graduation/settlement/payment/memo.js';
import { splitSol, splitTokens } from '#app/graduation/settlement/payment/split.js';
import { settlementInstructions } from '#app/graduation/settlement/payment/transaction.js';
import { localSigner } from '#app/keys/local-signer.js';
import { settledAs, type Settled } from '#tests/service/settlement-payments.js';

const FEE = 10_000n;
const blockhash = Keypair.generate().publicKey.toBase58();

/** The format in which a node returns it with `encoding: "json"`. */
function json({ message, signatures, version }: VersionedTransaction): object {
  return {
    slot: 5,
    version,
    meta: { err: null, fee: Number(FEE), loadedAddresses: { writable: [], readonly: [] } },
    transaction: {
      signatures: signatures.map((signature) => bs58.encode(signature)),
      message: {
        header: message.header,
        accountKeys: message.staticAccountKeys.map((key) => key.toBase58()),
        recentBlockhash: message.recentBlockhash,
        instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
          programIdIndex,
          accounts: [...accountKeyIndexes],
          data: bs58.encode(data),
        })),
      },
    },
  };
}

function landed(transaction: VersionedTransaction): ChainTransaction {
  return readTransaction(bs58.encode(transaction.signatures[0]!), json(transaction));
}

function signedBy(
  payer: Keypair,
  instructions: TransactionInstruction[],
  ...more: Keypair[]
): ChainTransaction {
  const transaction = compileTransaction({ payer: payer.publicKey, instructions }, blockhash);
  transaction.sign([payer, ...more]);
  return landed(transaction);
}

const AMOUNT = 1_234_567n;
const SHAPES = [
  { asset: 'SOL', burn: false, walletHasAccount: true },
  { asset: 'TOKEN', burn: false, walletHasAccount: true },
  { asset: 'TOKEN', burn: false, walletHasAccount: false },
  { asset: 'TOKEN', burn: true, walletHasAccount: true },
  { asset: 'TOKEN', burn: true, walletHasAccount: false },
] as const;

const treasury = Keypair.generate();
const wallet = Keypair.generate();
const mint = Keypair.generate().publicKey;
const treasuries = new Set([treasury.publicKey.toBase58()]);

describe('payments read from the chain', () => {
  const order = (shape: (typeof SHAPES)[number], of = wallet.publicKey): ClaimOrder => ({
    wallet: of,
    mint,
    asset: shape.asset,
    amount: AMOUNT,
    burn: shape.burn,
  });

  for (const shape of SHAPES) {
    const { asset, burn, walletHasAccount } = shape;
    const name = `a claim of ${asset}${burn ? ', burned,' : ''} ${walletHasAccount ? 'with' : 'without'} an account`;
    it(`${name} is recognised completely, and not with another instruction, twice, or from another treasury`, async () => {
      const terms = { blockhash, networkFee: FEE, walletHasAccount };
      const paidBy = async (payer: Keypair) => {
        const transaction = await claimTransaction(localSigner(payer), order(shape), terms);
        transaction.sign([wallet]);
        return claimPaymentIn(landed(transaction), treasuries);
      };
      expect(await paidBy(treasury)).to.deep.equal({
        wallet: wallet.publicKey.toBase58(),
        mint: mint.toBase58(),
        asset,
        amount: AMOUNT,
        networkFee: FEE,
        burn,
        opensAccount: asset === 'TOKEN' && !burn && !walletHasAccount,
      });
      expect(await paidBy(Keypair.generate())).to.equal(undefined);
      const claim = claimInstructions(treasury.publicKey, order(shape), terms);
      const added = new TransactionInstruction({ programId: Keypair.generate().publicKey, keys: [] });
      const memo = new TransactionInstruction({
        programId: MEMO_PROGRAM_ADDRESS,
        keys: [],
        data: Buffer.from(`curvekit claim ${asset} ${mint.toBase58()}`),
      });
      for (const instructions of [
        [...claim, added],
        [added, ...claim],
        [...claim, memo],
        [memo, ...claim],
        [...claim, ...claim],
      ])
        expect(claimPaymentIn(signedBy(treasury, instructions, wallet), treasuries)).to.equal(undefined);
    });
  }

  it('a claim is recognised when a node adds fields to the header, and not with another count in it', () => {
    const terms = { networkFee: FEE, walletHasAccount: true };
    const claim = signedBy(treasury, claimInstructions(treasury.publicKey, order(SHAPES[0]), terms), wallet);
    const header = { ...claim.header, numLookups: 0 };
    expect(claimPaymentIn({ ...claim, header }, treasuries)).not.to.equal(undefined);
    for (const count of ['numReadonlySignedAccounts', 'numReadonlyUnsignedAccounts'] as const) {
      const other = { ...claim.header, [count]: claim.header[count] + 1 };
      expect(claimPaymentIn({ ...claim, header: other }, treasuries)).to.equal(undefined);
    }
  });

  it('claims of two wallets in one transaction are not recognised', () => {
    const second = Keypair.generate();
    const terms = { networkFee: FEE, walletHasAccount: true };
    const both = [wallet, second].flatMap(({ publicKey }) =>
      claimInstructions(treasury.publicKey, order(SHAPES[0], publicKey), terms),
    );
    expect(claimPaymentIn(signedBy(treasury, both, wallet, second), treasuries)).to.equal(undefined);
  });

  it('transfers of other wallets and of the operator are not recognised as claims', () => {
    const transfer = (from: PublicKey, to: PublicKey) =>
      SystemProgram.transfer({ fromPubkey: from, toPubkey: to, lamports: AMOUNT });
    const toTreasury = signedBy(wallet, [transfer(wallet.publicKey, treasury.publicKey)]);
    const withdrawal = signedBy(treasury, [transfer(treasury.publicKey, wallet.publicKey)]);
    const mention = transfer(wallet.publicKey, mint);
    mention.keys.push({ pubkey: treasury.publicKey, isSigner: false, isWritable: false });
    const tokens = createTransferCheckedInstruction(
      associatedTokenAddress(treasury.publicKey, mint).address,
      mint,
      associatedTokenAddress(wallet.publicKey, mint).address,
      treasury.publicKey,
      AMOUNT,
      TOKEN_DECIMALS,
    );
    for (const transaction of [
      toTreasury,
      withdrawal,
      signedBy(wallet, [mention]),
      signedBy(treasury, [tokens]),
    ])
      expect(claimPaymentIn(transaction, treasuries)).to.equal(undefined);
  });

  it('an answer with another signature than the requested one is refused', () => {
    const instructions = [
      SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: mint, lamports: 1 }),
    ];
    const transaction = compileTransaction({ payer: wallet.publicKey, instructions }, blockhash);
    transaction.sign([wallet]);
    expect(() => readTransaction('1', json(transaction))).to.throw('instead of 1;');
  });
});

const ID = 17;
const SHARES = { burnBps: 1_111, holdersBps: 3_333, lpBps: 2_222 };

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
      for (const units of [0n, 3n, 5_000_011n, 999_999_999_999_989n])
        for (const hasHolders of [true, false])
          for (const isCredited of [true, false]) {
            if (sol === 0n && units === 0n) continue;
            const settled = { sol, units, hasHolders, isCredited };
            const parts = read(paid(settled));
            const what = JSON.stringify([String(sol), String(units), hasHolders, isCredited]);
            expect(parts?.sol.taken, what).to.equal(sol);
            expect(parts?.token.taken, what).to.equal(units);
            // Two cases look the same: the creator credited with all, or holders and creator credited. Only the sum is known.
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
    [
      'a memo that moves a lamport from the creator to the holders, which pays the same',
      forged({ solHolders: division.solHolders + 1n, solCreatorCredited: division.solCreatorCredited - 1n }),
    ],
    ['a memo of a settlement without holders', forged({ solHolders: 0n, tokenHolders: 0n })],
    ['two memos', memoOf(SETTLED), memoOf(SETTLED)],
    ['a memo and a text', memoOf(SETTLED), withData('paid')],
    ['a memo of another version', withData(text.replace('settlement', 'settlement/2'))],
    ['a memo with more words', withData(`${text} burn 5`)],
    ['a memo of another kind', withData('curvekit claim 17')],
    ['a text of somebody else', withData('thank you')],
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
  it('are not recognised with any other memo', () => {
    for (const [what, ...memos] of refused) expect(read(paid(SETTLED, ...memos)), what).to.equal(undefined);
  });
});
