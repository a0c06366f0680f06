// The accounts of a claim's transaction. An account that is writable for nothing makes other transactions wait for it.
import { Keypair, type TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress } from '@curvekit/sdk';
import { claimInstructions, type ClaimOrder } from '#app/claims/transaction.js';

describe('the transaction of a claim', () => {
  const [treasury, wallet, mint] = Array.from({ length: 3 }, () => Keypair.generate().publicKey) as [
    ClaimOrder['wallet'],
    ClaimOrder['wallet'],
    ClaimOrder['mint'],
  ];
  const names = new Map([
    [treasury.toBase58(), 'treasury'],
    [wallet.toBase58(), 'wallet'],
    [mint.toBase58(), 'mint'],
    [associatedTokenAddress(treasury, mint).address.toBase58(), "treasury's tokens"],
    [associatedTokenAddress(wallet, mint).address.toBase58(), "wallet's tokens"],
  ]);
  const instructions = (asset: 'SOL' | 'TOKEN', burn = false) =>
    claimInstructions(
      treasury,
      { wallet, mint, asset, amount: 100_000n, burn },
      { networkFee: 10_000n, walletHasAccount: true },
    );
  const accountsOf = ({ keys }: TransactionInstruction) =>
    keys.map(({ pubkey, isSigner, isWritable }) =>
      [names.get(pubkey.toBase58()), isSigner && 'signs', isWritable && 'written'].filter(Boolean).join(', '),
    );

  it('a claim of SOL writes the two wallets, is signed by both, and only names the token', () => {
    const all = instructions('SOL');
    expect(all.map(accountsOf)).to.deep.equal([
      ['treasury, signs, written', 'wallet, signs, written', 'mint'],
    ]);
    // The transfer's index, and the lamports without the network fee.
    expect(all[0]!.data.readUInt32LE(0)).to.equal(2);
    expect(all[0]!.data.readBigUInt64LE(4)).to.equal(90_000n);
  });

  it('a claim of tokens writes the two token accounts, and is signed by both wallets', () => {
    const transfer = ["treasury's tokens, written", 'mint', "wallet's tokens, written"];
    expect(instructions('TOKEN').map(accountsOf)).to.deep.equal([
      [...transfer, 'treasury, signs', 'wallet, signs'],
    ]);
    expect(instructions('TOKEN', true).map(accountsOf)).to.deep.equal([
      [...transfer, 'treasury, signs', 'wallet, signs'],
      ["wallet's tokens, written", 'mint, written', 'wallet, signs'],
    ]);
  });
});
