import { associatedTokenAddress, KEY_HELD_DEPLOYMENT, type SellTokenAccounts } from '@curvekit/sdk';
import { rawInstructions } from '#tests/program/raw-instructions.js';
import { MATCH, OTHER_OWNER } from '#tests/program/refusals.js';
import {
  wallet,
  NOT_TOKEN,
  NOT_THIS_PROGRAM,
  NOT_LOG_AUTHORITY,
  NOT_PROPERTIES,
  NOT_TRADED_CURVE,
  NOT_TRADED_MINT,
  NOT_FEE_RECEIVER,
  NOT_TOKEN_ACCOUNT,
  NOT_USER_TOKEN_ACCOUNT,
  type WrongAccount,
  type Subject,
} from './shared.js';

const { rawSellToken } = rawInstructions(KEY_HELD_DEPLOYMENT);

export const sellToken: Subject<SellTokenAccounts> = {
  name: 'sellToken',
  build: ({ token, trader }, accounts) => rawSellToken(token.mint, trader.publicKey, { accounts }),
  substitutes: {
    payerAccount: [['another wallet', wallet, OTHER_OWNER]],
    tokenProgram: NOT_TOKEN,
    tokenOwnerPda: NOT_TRADED_CURVE,
    tokenMint: NOT_TRADED_MINT,
    ownerTokenAccount: [
      ["another token's vault", ({ other }) => other.vault.address, MATCH],
      ["the curve's account of another mint", ({ foreignVault }) => foreignVault, MATCH],
      ['a second account of the curve', ({ secondVault }) => secondVault, MATCH],
      [
        "another wallet's account",
        ({ stranger, token }) => associatedTokenAddress(stranger.publicKey, token.mint).address,
        MATCH,
      ],
      ...NOT_TOKEN_ACCOUNT.map(([what, wrong]): WrongAccount => [what, wrong, MATCH]),
    ],
    userTokenAccount: NOT_USER_TOKEN_ACCOUNT,
    feeAccount: NOT_FEE_RECEIVER,
    programAccount: NOT_THIS_PROGRAM,
    propertiesAccount: NOT_PROPERTIES,
    logAuthorityAccount: NOT_LOG_AUTHORITY,
  },
};
