import { NATIVE_MINT_2022 } from '@solana/spl-token';
import {
  associatedTokenAddress,
  COMMUNITY_TOKEN_SEED,
  COMMUNITY_WSOL_SEED,
  KEY_HELD_DEPLOYMENT,
  tokenAddresses,
  TOKEN_PROGRAM_ADDRESS,
  type CreateTokenAccounts,
} from '@curvekit/sdk';
import { nonCanonicalCurve } from '#tests/program/non-canonical.js';
import { rawCreateToken } from '#tests/program/raw-instructions.js';
import { MATCH, LOGICAL, ADDRESS } from '#tests/program/refusals.js';
import {
  wallet,
  nothing,
  programs,
  NOT_SYSTEM,
  NOT_TOKEN,
  NOT_THIS_PROGRAM,
  NOT_RENT,
  NOT_LOG_AUTHORITY,
  NOT_PROPERTIES,
  NOT_STORAGE,
  type Subject,
} from './shared.js';

export const createToken: Subject<CreateTokenAccounts> = {
  name: 'createToken',
  build: ({ newMint, trader }, accounts) => rawCreateToken(newMint, trader.publicKey, { accounts }),
  substitutes: {
    propertiesAccount: NOT_PROPERTIES,
    payerAccount: [['a wallet without lamports', ({ pauper }) => pauper.publicKey, 'System 1']],
    tokenProgram: NOT_TOKEN,
    systemProgram: NOT_SYSTEM,
    ataProgram: programs('3008 InvalidProgramId', ['the token program', TOKEN_PROGRAM_ADDRESS]),
    tokenMint: [
      ["another token's mint", ({ other }) => other.mint, MATCH],
      ['a blank account of another size', ({ blankTokenAccount }) => blankTokenAccount, MATCH],
      ['a mint of Token-2022', ({ mint2022 }) => mint2022, '2004 ConstraintOwner'],
      ['a wallet', wallet, '2004 ConstraintOwner'],
      ['an address without an account', nothing, '2004 ConstraintOwner'],
    ],
    tokenOwnerPda: [
      ["another token's curve", ({ other }) => other.curve.address, MATCH],
      ['the address with a non-canonical nonce', ({ newMint }) => nonCanonicalCurve(newMint).address, MATCH],
      ['the vault', ({ newMint }) => tokenAddresses(newMint).vault.address, MATCH],
      ['a wallet', wallet, MATCH],
      ['an address without an account', nothing, MATCH],
    ],
    tokenOwnerTokenAccount: [
      ["another token's vault", ({ other }) => other.vault.address, MATCH],
      [
        "the creator's associated account",
        ({ trader, newMint }) => associatedTokenAddress(trader.publicKey, newMint).address,
        MATCH,
      ],
      ['the curve', ({ newMint }) => tokenAddresses(newMint).curve.address, MATCH],
      ['a wallet', wallet, MATCH],
      ['an address without an account', nothing, MATCH],
    ],
    tokenMetadataProgram: programs('3008 InvalidProgramId', ['the token program', TOKEN_PROGRAM_ADDRESS]),
    tokenMetadata: [
      ["another token's metadata", ({ other }) => other.metadata.address, 'Metaplex 5'],
      ['a wallet', wallet, 'Metaplex 5'],
      ['an address without an account', nothing, 'Metaplex 5'],
    ],
    afterMigrationCommunityContributionWsolStorage: [
      [
        "the token's other storage",
        ({ newMint }) => tokenAddresses(newMint).communityTokenStorage.address,
        LOGICAL,
      ],
      ...NOT_STORAGE('communityWsolStorage', COMMUNITY_WSOL_SEED),
    ],
    afterMigrationCommunityContributionTokenStorage: [
      [
        "the token's other storage",
        ({ newMint }) => tokenAddresses(newMint).communityWsolStorage.address,
        LOGICAL,
      ],
      ...NOT_STORAGE('communityTokenStorage', COMMUNITY_TOKEN_SEED),
    ],
    rentSysvar: NOT_RENT,
    nativeMint: [
      ["Token-2022's", () => NATIVE_MINT_2022, ADDRESS],
      ["a token's mint", ({ other }) => other.mint, ADDRESS],
      ['a wallet', wallet, ADDRESS],
    ],
    dexOwner: [
      ['the creator', ({ trader }) => trader.publicKey, ADDRESS],
      ['the fee receiver', () => KEY_HELD_DEPLOYMENT.feeReceiver, ADDRESS],
      ['an address without an account', nothing, ADDRESS],
    ],
    programAccount: NOT_THIS_PROGRAM,
    logAuthorityAccount: NOT_LOG_AUTHORITY,
  },
};
