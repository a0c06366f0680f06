// Valid instructions for a token of the arena. Steps alter them.
import {
  adminSetPropertiesInstruction,
  ATA_PROGRAM_ADDRESS,
  buyTokenInstruction,
  createTokenInstruction,
  DEFAULT_DEPLOYMENT,
  migrateInstruction,
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  sellTokenInstruction,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  validateLogRecordInstruction,
  type AdminSetPropertiesArgs,
  type CreateTokenArgs,
  type TokenAddresses,
} from '@curvekit/sdk';
import type { PublicKey } from '@solana/web3.js';
import { callOf, type Call } from './call.js';

const { admin, dexOwner, feeReceiver, logAuthority, programId, properties } = DEFAULT_DEPLOYMENT;

/** A token's addresses, kept because deriving them is slow. */
export interface AddressedToken extends TokenAddresses {
  readonly mint: PublicKey;
}

export type Terms = Omit<CreateTokenArgs, 'pdaTokenNonce' | 'loggingAccountBump'>;

export function createCall(token: AddressedToken, payer: PublicKey, terms: Terms): Call {
  return callOf(
    createTokenInstruction(
      {
        propertiesAccount: properties.address,
        payerAccount: payer,
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
        systemProgram: SYSTEM_PROGRAM_ADDRESS,
        ataProgram: ATA_PROGRAM_ADDRESS,
        tokenMint: token.mint,
        tokenOwnerPda: token.curve.address,
        tokenOwnerTokenAccount: token.vault.address,
        tokenMetadataProgram: TOKEN_METADATA_PROGRAM_ADDRESS,
        tokenMetadata: token.metadata.address,
        afterMigrationCommunityContributionWsolStorage: token.communityWsolStorage.address,
        afterMigrationCommunityContributionTokenStorage: token.communityTokenStorage.address,
        rentSysvar: RENT_SYSVAR_ADDRESS,
        nativeMint: NATIVE_MINT_ADDRESS,
        dexOwner,
        programAccount: programId,
        logAuthorityAccount: logAuthority.address,
      },
      { ...terms, pdaTokenNonce: token.curve.bump, loggingAccountBump: logAuthority.bump },
    ),
  );
}

/** Amount and minimum of a trade. */
export interface TradeArgs {
  readonly amount: bigint;
  readonly minimum: bigint;
}

export function buyCall(token: AddressedToken, payer: PublicKey, held: PublicKey, args: TradeArgs): Call {
  return callOf(
    buyTokenInstruction(
      {
        payerAccount: payer,
        systemProgram: SYSTEM_PROGRAM_ADDRESS,
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
        tokenOwnerPda: token.curve.address,
        tokenMint: token.mint,
        ownerTokenAccount: token.vault.address,
        userTokenAccount: held,
        feeAccount: feeReceiver,
        propertiesAccount: properties.address,
        programAccount: programId,
        logAuthorityAccount: logAuthority.address,
      },
      {
        pdaTokenNonce: token.curve.bump,
        solToSpend: args.amount,
        minTokenToReceive: args.minimum,
        loggingAccountBump: logAuthority.bump,
      },
    ),
  );
}

export function sellCall(token: AddressedToken, payer: PublicKey, held: PublicKey, args: TradeArgs): Call {
  return callOf(
    sellTokenInstruction(
      {
        payerAccount: payer,
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
        tokenOwnerPda: token.curve.address,
        tokenMint: token.mint,
        ownerTokenAccount: token.vault.address,
        userTokenAccount: held,
        feeAccount: feeReceiver,
        programAccount: programId,
        propertiesAccount: properties.address,
        logAuthorityAccount: logAuthority.address,
      },
      {
        pdaTokenNonce: token.curve.bump,
        tokenToSpend: args.amount,
        minSolToReceive: args.minimum,
        loggingAccountBump: logAuthority.bump,
      },
    ),
  );
}

/** @param held the fee receiver's token account */
export function migrateCall(token: AddressedToken, held: PublicKey): Call {
  return callOf(
    migrateInstruction(
      {
        tokenMint: token.mint,
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
        tokenOwnerPda: token.curve.address,
        feeAccount: feeReceiver,
        tokenOwnerTokenAccount: token.vault.address,
        feeTokenAccount: held,
      },
      { pdaTokenNonce: token.curve.bump },
    ),
  );
}

export function logCall(): Call {
  return callOf(
    validateLogRecordInstruction(
      { loggingAuthority: logAuthority.address },
      { loggingAccountBump: logAuthority.bump },
    ),
  );
}

export function propertiesCall(args: Omit<AdminSetPropertiesArgs, 'bump'>): Call {
  return callOf(
    adminSetPropertiesInstruction(
      {
        adminAccount: admin,
        propertiesAccount: properties.address,
        systemProgram: SYSTEM_PROGRAM_ADDRESS,
        rentSysvar: RENT_SYSVAR_ADDRESS,
      },
      { ...args, bump: properties.bump },
    ),
  );
}
