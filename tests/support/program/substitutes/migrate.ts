import { NATIVE_MINT } from '@solana/spl-token'; // threat: second-vault
import { ADMIN, associatedTokenAddress, KEY_HELD_DEPLOYMENT, type MigrateAccounts } from '@curvekit/sdk';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import { MATCH, WRONG_FEE_RECEIVER, OTHER_MINT, OTHER_OWNER } from '#tests/program/refusals.js';
import {
  wallet,
  nothing,
  NOT_TOKEN,
  NOT_CURVE,
  NOT_TOKEN_ACCOUNT,
  type WrongAccount,
  type Subject,
} from './shared.js';

const { rawMigrate } = rawInstructions(KEY_HELD_DEPLOYMENT);

export const migrate: Subject<MigrateAccounts> = {
  name: 'migrate',
  build: ({ graduated }, accounts) => rawMigrate(graduated.mint, { accounts }),
  substitutes: {
    tokenMint: [
      ["another graduated token's", ({ otherGraduated }) => otherGraduated.mint, MATCH],
      ['wrapped SOL', () => NATIVE_MINT, MATCH],
      ['an address without an account', nothing, MATCH],
    ],
    tokenProgram: NOT_TOKEN,
    tokenOwnerPda: [
      ["another graduated token's curve", ({ otherGraduated }) => otherGraduated.curve.address, MATCH],
      ['a curve that trades', ({ other }) => other.curve.address, MATCH],
      ...NOT_CURVE,
    ],
    feeAccount: [
      ['a wallet', wallet, WRONG_FEE_RECEIVER],
      ['the admin', () => ADMIN, WRONG_FEE_RECEIVER],
    ],
    tokenOwnerTokenAccount: [
      ["another graduated token's vault", ({ otherGraduated }) => otherGraduated.vault.address, MATCH],
      ['a second account of the curve', ({ secondGraduatedVault }) => secondGraduatedVault, MATCH],
      [
        "the fee receiver's account",
        ({ graduated }) => associatedTokenAddress(KEY_HELD_DEPLOYMENT.feeReceiver, graduated.mint).address,
        MATCH,
      ],
      ...NOT_TOKEN_ACCOUNT.map(([what, wrong]): WrongAccount => [what, wrong, MATCH]),
    ],
    feeTokenAccount: [
      [
        "the fee receiver's account of another mint",
        ({ otherGraduated }) =>
          associatedTokenAddress(KEY_HELD_DEPLOYMENT.feeReceiver, otherGraduated.mint).address,
        OTHER_MINT,
      ],
      [
        "another wallet's account",
        ({ stranger, graduated }) => associatedTokenAddress(stranger.publicKey, graduated.mint).address,
        OTHER_OWNER,
      ],
      ['the vault', ({ graduated }) => graduated.vault.address, OTHER_OWNER],
      ['a second account of the curve', ({ secondGraduatedVault }) => secondGraduatedVault, OTHER_OWNER],
      ...NOT_TOKEN_ACCOUNT,
    ],
  },
};
