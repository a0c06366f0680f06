// Combinations of wrong accounts that an attacker would try, and the program's refusals. threat: foreign-curve, curve-at-another-nonce
import type { PublicKey } from '@solana/web3.js';
import {
  associatedTokenAddress,
  curveAddress,
  type BuyTokenAccounts,
  type MigrateAccounts,
  type SellTokenAccounts,
} from '@curvekit/sdk';
import { nonCanonicalCurve } from '#tests/program/non-canonical.js';
import type { Scene } from '#tests/program/scene.js';
import { MATCH, NOTHING_THERE, OTHER_MINT } from '#tests/program/refusals.js';

const account = (owner: PublicKey, mint: PublicKey) => associatedTokenAddress(owner, mint).address;

export interface Together<Accounts> {
  readonly what: string;
  readonly accounts: (scene: Scene, feeReceiver: PublicKey) => Partial<Accounts>;
  /** The nonce of another curve than the mint's. */
  readonly nonce?: (scene: Scene) => number;
  readonly refusal: string;
}

const ofOther = (scene: Scene) => curveAddress(scene.other.mint).bump;

export const TRADES: readonly Together<BuyTokenAccounts & SellTokenAccounts>[] = [
  {
    what: "another token's curve with its nonce",
    accounts: (scene) => ({ tokenOwnerPda: scene.other.curve.address }),
    nonce: ofOther,
    refusal: MATCH,
  },
  {
    what: "another token's curve and vault with their nonce",
    accounts: (scene) => ({
      tokenOwnerPda: scene.other.curve.address,
      ownerTokenAccount: scene.other.vault.address,
    }),
    nonce: ofOther,
    refusal: MATCH,
  },
  {
    what: "another token's mint, curve and vault with their nonce, but the trader's account of the right token",
    accounts: (scene) => ({
      tokenMint: scene.other.mint,
      tokenOwnerPda: scene.other.curve.address,
      ownerTokenAccount: scene.other.vault.address,
    }),
    nonce: ofOther,
    refusal: OTHER_MINT,
  },
  {
    what: "another token's mint and account of the trader",
    accounts: (scene) => ({
      tokenMint: scene.other.mint,
      userTokenAccount: account(scene.trader.publicKey, scene.other.mint),
    }),
    refusal: MATCH,
  },
  {
    what: "another token's mint, vault and account of the trader",
    accounts: (scene) => ({
      tokenMint: scene.other.mint,
      ownerTokenAccount: scene.other.vault.address,
      userTokenAccount: account(scene.trader.publicKey, scene.other.mint),
    }),
    refusal: MATCH,
  },
  // Only the mint and the curve do not match: an attacker would sell cheap tokens at the price of expensive ones.
  {
    what: "another token's mint, the curve's own account of it, and the trader's",
    accounts: (scene) => ({
      tokenMint: scene.other.mint,
      ownerTokenAccount: scene.foreignVault,
      userTokenAccount: account(scene.trader.publicKey, scene.other.mint),
    }),
    refusal: MATCH,
  },
  {
    what: "another token's mint, the curve's own account of it, and the trader's, with the other curve's nonce",
    accounts: (scene) => ({
      tokenMint: scene.other.mint,
      ownerTokenAccount: scene.foreignVault,
      userTokenAccount: account(scene.trader.publicKey, scene.other.mint),
    }),
    nonce: ofOther,
    refusal: MATCH,
  },
  {
    what: 'the address with a non-canonical nonce, with that nonce',
    accounts: (scene) => ({ tokenOwnerPda: nonCanonicalCurve(scene.token.mint).address }),
    nonce: (scene) => nonCanonicalCurve(scene.token.mint).bump,
    refusal: NOTHING_THERE,
  },
];

export const MIGRATIONS: readonly Together<MigrateAccounts>[] = [
  {
    what: "another graduated token's curve and vault with their nonce",
    accounts: (scene) => ({
      tokenOwnerPda: scene.otherGraduated.curve.address,
      tokenOwnerTokenAccount: scene.otherGraduated.vault.address,
    }),
    nonce: (scene) => scene.otherGraduated.curve.bump,
    refusal: MATCH,
  },
  {
    what: "a trading token's mint, vault and account of the fee receiver with a graduated curve",
    accounts: (scene, feeReceiver) => ({
      tokenMint: scene.other.mint,
      tokenOwnerTokenAccount: scene.other.vault.address,
      feeTokenAccount: account(feeReceiver, scene.other.mint),
    }),
    nonce: ofOther,
    refusal: MATCH,
  },
  {
    what: 'the address with a non-canonical nonce, with that nonce',
    accounts: (scene) => ({ tokenOwnerPda: nonCanonicalCurve(scene.graduated.mint).address }),
    nonce: (scene) => nonCanonicalCurve(scene.graduated.mint).bump,
    refusal: NOTHING_THERE,
  },
];
