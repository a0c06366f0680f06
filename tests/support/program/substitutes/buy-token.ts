import { associatedTokenAddress, KEY_HELD_DEPLOYMENT, type BuyTokenAccounts } from '@curvekit/sdk'; // threat: second-vault
import { rawInstructions } from '#tests/program/raw-instructions.js';
import { MATCH, OTHER_OWNER } from '#tests/program/refusals.js';
import {
  wallet,
  NOT_SYSTEM,
  NOT_TOKEN,
  NOT_THIS_PROGRAM,
  NOT_LOG_AUTHORITY,
  NOT_PROPERTIES,
  NOT_TRADED_CURVE,
  NOT_TRADED_MINT,
  NOT_FEE_RECEIVER,
  NOT_TOKEN_ACCOUNT,
  NOT_USER_TOKEN_ACCOUNT,
  type Subject,
} from './shared.js';

const { rawBuyToken } = rawInstructions(KEY_HELD_DEPLOYMENT);

export const buyToken: Subject<BuyTokenAccounts> = {
  name: 'buyToken',
  build: ({ token, trader }, accounts) => rawBuyToken(token.mint, trader.publicKey, { accounts }),
  substitutes: {
    payerAccount: [['another wallet', wallet, OTHER_OWNER]],
    systemProgram: NOT_SYSTEM,
    tokenProgram: NOT_TOKEN,
    tokenOwnerPda: NOT_TRADED_CURVE,
    tokenMint: NOT_TRADED_MINT,
    ownerTokenAccount: [
      ["another token's vault", ({ other }) => other.vault.address, MATCH],
      // It holds enough tokens for the buy.
      ['a second account of the curve', ({ secondVault }) => secondVault, MATCH],
      ["the curve's account of another mint", ({ foreignVault }) => foreignVault, MATCH],
      [
        "another wallet's account",
        ({ stranger, token }) => associatedTokenAddress(stranger.publicKey, token.mint).address,
        MATCH,
      ],
      ...NOT_TOKEN_ACCOUNT,
    ],
    userTokenAccount: NOT_USER_TOKEN_ACCOUNT,
    feeAccount: NOT_FEE_RECEIVER,
    propertiesAccount: NOT_PROPERTIES,
    programAccount: NOT_THIS_PROGRAM,
    logAuthorityAccount: NOT_LOG_AUTHORITY,
  },
};
