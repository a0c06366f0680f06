// Payments read from the chain: every payment that the service builds is recognised completely, and no other
// transaction is.
import { createTransferCheckedInstruction } from '@solana/spl-token';
import {
  Keypair,
  SystemProgram,
  TransactionInstruction,
  type PublicKey,
  type VersionedTransaction,
} from '@solana/web3.js';
import { expect } from 'chai';
import bs58 from 'bs58';
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
import { splitSol, splitTokens } from '#app/settlement/split.js';
import { settlementInstructions } from '#app/settlement/transaction.js';
import { localSigner } from '#app/signers/local-signer.js';
import { rejection } from '#tests/mocha/failures.js';

const FEE = 10_000n;
const AMOUNT = 1_234_567n;
const SHARES = { burnBps: 1_111, holdersBps: 3_333, lpBps: 2_222 };
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
const blockhash = Keypair.generate().publicKey.toBase58();
const treasuries = new Set([treasury.publicKey.toBase58()]);

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
      const memo = new TransactionInstruction({ programId: Keypair.generate().publicKey, keys: [] });
      for (const instructions of [
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

  it('claims of two wallets in one transaction are not recognised', () => {
    const second = Keypair.generate();
    const terms = { networkFee: FEE, walletHasAccount: true };
    const both = [wallet, second].flatMap(({ publicKey }) =>
      claimInstructions(treasury.publicKey, order(SHAPES[0], publicKey), terms),
    );
    expect(claimPaymentIn(signedBy(treasury, both, wallet, second), treasuries)).to.equal(undefined);
  });

  it('transfers of strangers and of the operator are not recognised as claims', () => {
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

describe('settlements read from the chain', () => {
  const dexOwner = Keypair.generate();
  const lp = Keypair.generate().publicKey;
  const creator = Keypair.generate().publicKey;
  const token = { ...SHARES, mint: mint.toBase58() };
  const receivers = { treasuries, creator: creator.toBase58() };

  interface Case {
    readonly sol: bigint;
    readonly units: bigint;
    readonly hasHolders: boolean;
    readonly isCredited: boolean;
  }

  function paid({ sol, units, hasHolders, isCredited }: Case): ChainTransaction {
    const ofSol = splitSol(sol, SHARES, hasHolders);
    const ofTokens = splitTokens(units, SHARES, hasHolders);
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
      sol: {
        taken: sol,
        treasury: ofSol.holders + (isCredited ? ofSol.creator : 0n),
        lp: ofSol.lp,
        creator: isCredited ? 0n : ofSol.creator,
      },
      token: {
        burned: ofTokens.burn,
        treasury: ofTokens.holders + (isCredited ? ofTokens.creator : 0n),
        lp: ofTokens.lp,
        creator: isCredited ? 0n : ofTokens.creator,
      },
      unwrapping: unwrapping.publicKey,
      tokenAccountRent: 2_039_280,
    });
    return signedBy(dexOwner, instructions, ...(sol > 0n ? [unwrapping] : []));
  }

  const read = (transaction: ChainTransaction) =>
    partsOf(takingIn(transaction, dexOwner.publicKey.toBase58()), token, receivers);

  it('are parsed into exactly the parts that were paid', () => {
    for (const sol of [0n, 1n, 7n, 1_000_000_003n, 18_446_744_073_709n]) {
      for (const units of [0n, 3n, 5_000_011n, 999_999_999_999_989n]) {
        for (const hasHolders of [true, false]) {
          for (const isCredited of [true, false]) {
            if (sol === 0n && units === 0n) continue;
            const parts = read(paid({ sol, units, hasHolders, isCredited }));
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
});
