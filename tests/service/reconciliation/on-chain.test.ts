// Payments read from the chain: every payment that the service builds is recognised completely, and no other
// transaction is. threat: payment-lookalike
import { createTransferCheckedInstruction } from '@solana/spl-token';
import { Keypair, SystemProgram, TransactionInstruction, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress, compileTransaction, TOKEN_DECIMALS } from '@curvekit/sdk';
import { claimInstructions, claimTransaction, type ClaimOrder } from '#app/claims/transaction.js';
import { readTransaction } from '#app/reconciliation/chain-transaction.js';
import { claimPaymentIn } from '#app/reconciliation/claim-payment.js';
import { MEMO_PROGRAM_ADDRESS } from '#app/graduation/settlement/payment/memo.js';
import { localSigner } from '#app/keys/local-signer.js';
import { rejection } from '#tests/mocha/failures.js';
import { blockhash, FEE, json, landed, signedBy } from '#tests/service/on-chain.js';

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
    it(`${name} is recognised completely`, async () => {
      const transaction = await claimTransaction(localSigner(treasury), order(shape), {
        blockhash,
        networkFee: FEE,
        walletHasAccount,
      });
      transaction.sign([wallet]);
      expect(claimPaymentIn(landed(transaction), treasuries)).to.deep.equal({
        wallet: wallet.publicKey.toBase58(),
        mint: mint.toBase58(),
        asset,
        amount: AMOUNT,
        networkFee: FEE,
        burn,
        opensAccount: asset === 'TOKEN' && !burn && !walletHasAccount,
      });
    });

    it(`${name} is not recognised with another instruction, twice, or from another treasury`, async () => {
      const terms = { networkFee: FEE, walletHasAccount };
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
      ]) {
        expect(claimPaymentIn(signedBy(treasury, instructions, wallet), treasuries)).to.equal(undefined);
      }
      const other = Keypair.generate();
      const imitated = await claimTransaction(localSigner(other), order(shape), { blockhash, ...terms });
      imitated.sign([wallet]);
      expect(claimPaymentIn(landed(imitated), treasuries)).to.equal(undefined);
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
    ]) {
      expect(claimPaymentIn(transaction, treasuries)).to.equal(undefined);
    }
  });

  it('readTransaction refuses an answer with another signature than the requested one', async () => {
    const transaction = compileTransaction(
      {
        payer: wallet.publicKey,
        instructions: [SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: mint, lamports: 1 })],
      },
      blockhash,
    );
    transaction.sign([wallet]);
    const error = await rejection(
      Promise.resolve().then(() => readTransaction('1', json(transaction))),
      Error,
    );
    expect(error.message).to.contain('instead of 1;');
  });
});
