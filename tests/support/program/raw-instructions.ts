// The program's instructions with any account and argument, valid by default. Unlike the SDK's builders these accept
// invalid
// values, because the program itself must refuse them.
import { SystemProgram, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import {
  adminSetPropertiesInstruction,
  associatedTokenAddress,
  ATA_PROGRAM_ADDRESS,
  buyTokenInstruction,
  createTokenInstruction,
  DEFAULT_DEPLOYMENT,
  migrateInstruction,
  MINT_ACCOUNT_SIZE,
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  sellTokenInstruction,
  SYSTEM_PROGRAM_ADDRESS,
  tokenAddresses,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  validateLogRecordInstruction,
  type AdminSetPropertiesAccounts,
  type AdminSetPropertiesArgs,
  type BuyTokenAccounts,
  type BuyTokenArgs,
  type CreateTokenAccounts,
  type CreateTokenArgs,
  type Deployment,
  type MigrateAccounts,
  type MigrateArgs,
  type SellTokenAccounts,
  type SellTokenArgs,
  type TokenAddresses,
  type ValidateLogRecordAccounts,
  type ValidateLogRecordArgs,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { TERMS } from './tokens.js';
import { MINT_RENT } from '#tests/constants.js';

/** Differences from the valid accounts and arguments. */
export interface Changes<Accounts, Args> {
  readonly accounts?: Partial<Accounts>;
  readonly args?: Partial<Args>;
}

/** The empty mint account, owned by the token program, that `createToken` needs. */
export function blankMint(payer: PublicKey, mint: PublicKey): TransactionInstruction {
  return SystemProgram.createAccount({
    fromPubkey: payer,
    newAccountPubkey: mint,
    lamports: Number(MINT_RENT),
    space: MINT_ACCOUNT_SIZE,
    programId: TOKEN_PROGRAM_ADDRESS,
  });
}

/** Kept, because deriving them is slow. */
const derived = new Map<string, TokenAddresses>();
function addressesOf(mint: PublicKey): TokenAddresses {
  const name = mint.toBase58();
  const addresses = derived.get(name) ?? tokenAddresses(mint);
  derived.set(name, addresses);
  return addresses;
}

/** The builders for one build of the program. */
export function rawInstructions(deployment: Deployment) {
  const { admin, dexOwner, feeReceiver, logAuthority, programId, properties } = deployment;

  function rawCreateToken(
    mint: PublicKey,
    payer: PublicKey,
    { accounts, args }: Changes<CreateTokenAccounts, CreateTokenArgs> = {},
  ): TransactionInstruction {
    const addresses = addressesOf(mint);
    return createTokenInstruction(
      {
        propertiesAccount: properties.address,
        payerAccount: payer,
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
        systemProgram: SYSTEM_PROGRAM_ADDRESS,
        ataProgram: ATA_PROGRAM_ADDRESS,
        tokenMint: mint,
        tokenOwnerPda: addresses.curve.address,
        tokenOwnerTokenAccount: addresses.vault.address,
        tokenMetadataProgram: TOKEN_METADATA_PROGRAM_ADDRESS,
        tokenMetadata: addresses.metadata.address,
        afterMigrationCommunityContributionWsolStorage: addresses.communityWsolStorage.address,
        afterMigrationCommunityContributionTokenStorage: addresses.communityTokenStorage.address,
        rentSysvar: RENT_SYSVAR_ADDRESS,
        nativeMint: NATIVE_MINT_ADDRESS,
        dexOwner,
        programAccount: programId,
        logAuthorityAccount: logAuthority.address,
        ...accounts,
      },
      { pdaTokenNonce: addresses.curve.bump, ...TERMS, loggingAccountBump: logAuthority.bump, ...args },
    );
  }

  /** Spends 0.1 SOL at any price by default. */
  function rawBuyToken(
    mint: PublicKey,
    payer: PublicKey,
    { accounts, args }: Changes<BuyTokenAccounts, BuyTokenArgs> = {},
  ): TransactionInstruction {
    const { curve, vault } = addressesOf(mint);
    return buyTokenInstruction(
      {
        payerAccount: payer,
        systemProgram: SYSTEM_PROGRAM_ADDRESS,
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
        tokenOwnerPda: curve.address,
        tokenMint: mint,
        ownerTokenAccount: vault.address,
        userTokenAccount: accounts?.userTokenAccount ?? associatedTokenAddress(payer, mint).address,
        feeAccount: feeReceiver,
        propertiesAccount: properties.address,
        programAccount: programId,
        logAuthorityAccount: logAuthority.address,
        ...accounts,
      },
      {
        pdaTokenNonce: curve.bump,
        solToSpend: 100_000_000n,
        minTokenToReceive: 0n,
        loggingAccountBump: logAuthority.bump,
        ...args,
      },
    );
  }

  /** Sells one token at any price by default. */
  function rawSellToken(
    mint: PublicKey,
    payer: PublicKey,
    { accounts, args }: Changes<SellTokenAccounts, SellTokenArgs> = {},
  ): TransactionInstruction {
    const { curve, vault } = addressesOf(mint);
    return sellTokenInstruction(
      {
        payerAccount: payer,
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
        tokenOwnerPda: curve.address,
        tokenMint: mint,
        ownerTokenAccount: vault.address,
        userTokenAccount: accounts?.userTokenAccount ?? associatedTokenAddress(payer, mint).address,
        feeAccount: feeReceiver,
        programAccount: programId,
        propertiesAccount: properties.address,
        logAuthorityAccount: logAuthority.address,
        ...accounts,
      },
      {
        pdaTokenNonce: curve.bump,
        tokenToSpend: 1_000_000n,
        minSolToReceive: 0n,
        loggingAccountBump: logAuthority.bump,
        ...args,
      },
    );
  }

  function rawMigrate(
    mint: PublicKey,
    { accounts, args }: Changes<MigrateAccounts, MigrateArgs> = {},
  ): TransactionInstruction {
    const { curve, vault } = addressesOf(mint);
    return migrateInstruction(
      {
        tokenMint: mint,
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
        tokenOwnerPda: curve.address,
        feeAccount: feeReceiver,
        tokenOwnerTokenAccount: vault.address,
        feeTokenAccount: accounts?.feeTokenAccount ?? associatedTokenAddress(feeReceiver, mint).address,
        ...accounts,
      },
      { pdaTokenNonce: curve.bump, ...args },
    );
  }

  function rawValidateLogRecord({
    accounts,
    args,
  }: Changes<ValidateLogRecordAccounts, ValidateLogRecordArgs> = {}): TransactionInstruction {
    return validateLogRecordInstruction(
      { loggingAuthority: logAuthority.address, ...accounts },
      { loggingAccountBump: logAuthority.bump, ...args },
    );
  }

  /** Sets the default properties by default. */
  function rawAdminSetProperties({
    accounts,
    args,
  }: Changes<AdminSetPropertiesAccounts, AdminSetPropertiesArgs> = {}): TransactionInstruction {
    return adminSetPropertiesInstruction(
      {
        adminAccount: admin,
        propertiesAccount: properties.address,
        systemProgram: SYSTEM_PROGRAM_ADDRESS,
        rentSysvar: RENT_SYSVAR_ADDRESS,
        ...accounts,
      },
      { ...DEFAULT_PROPERTIES, bump: properties.bump, ...args },
    );
  }

  return {
    rawCreateToken,
    rawBuyToken,
    rawSellToken,
    rawMigrate,
    rawValidateLogRecord,
    rawAdminSetProperties,
  };
}

/** The builders for the default deployment. */
export const {
  rawCreateToken,
  rawBuyToken,
  rawSellToken,
  rawMigrate,
  rawValidateLogRecord,
  rawAdminSetProperties,
} = rawInstructions(DEFAULT_DEPLOYMENT);
