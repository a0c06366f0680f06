// Generated from programs/artifacts/bonding_curve.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import type { PublicKey, TransactionInstruction } from '../chain/types.js';
import { buildInstruction, decodeLayout, type InstructionLayout } from '../codec/instruction.js';
import { PROGRAM_ADDRESS } from './program.js';

/** Accounts of `adminSetProperties`. */
export interface AdminSetPropertiesAccounts {
  /**
   * The admin this program was built with. Not writable: it pays the rent of the first call only where it is
   * the transaction's fee payer too.
   */
  readonly adminAccount: PublicKey;
  readonly propertiesAccount: PublicKey;
  readonly systemProgram: PublicKey;
  readonly rentSysvar: PublicKey;
}

/** Positions of the accounts of `adminSetProperties`. */
export const ADMIN_SET_PROPERTIES_ACCOUNTS = {
  adminAccount: 0,
  propertiesAccount: 1,
  systemProgram: 2,
  rentSysvar: 3,
} as const;

/** Arguments of `adminSetProperties`. */
export interface AdminSetPropertiesArgs {
  readonly initialVirtualSol: bigint;
  readonly initialVirtualToken: bigint;
  readonly platformFeeBps: number;
  readonly bump: number;
}

/** First bytes of the data of `adminSetProperties`. */
export const ADMIN_SET_PROPERTIES_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  184, 196, 94, 79, 50, 77, 206, 137,
]);

/** Bytes of the data of `adminSetProperties`. */
export const ADMIN_SET_PROPERTIES_DATA_SIZE = 27;

const ADMIN_SET_PROPERTIES: InstructionLayout<AdminSetPropertiesAccounts, AdminSetPropertiesArgs> = {
  name: 'adminSetProperties',
  discriminator: ADMIN_SET_PROPERTIES_DISCRIMINATOR,
  accounts: { adminAccount: 's', propertiesAccount: 'w', systemProgram: '', rentSysvar: '' },
  fields: { initialVirtualSol: 'u64', initialVirtualToken: 'u64', platformFeeBps: 'u16', bump: 'u8' },
};

/**
 * Sets the properties of the launchpad; the first call creates their account. A later change touches new tokens
 * only, except the fee, which every trade reads live.
 *
 * **Authority**: the admin signs as `adminAccount`.
 *
 * **Accounts**: the rent of the first call is paid by the admin where it is the transaction's fee payer, or by
 * lamports sent ahead to `propertiesAccount`.
 *
 * **Arguments**
 * - `initialVirtualSol`: lamports, above zero; at the graduation of a curve the reserve must still fit 64 bits
 * - `initialVirtualToken`: smallest token units, above the supply and below supply + graduation reserve
 * - `platformFeeBps`: basis points, at most 1,000
 * - `bump`: canonical bump of `propertiesAccount`
 *
 * **Errors**: `LogicalError` for a value out of bounds, for reserves from which no curve could graduate
 * (`initial_virtual_sol · initial_virtual_token` above graduation reserve · (2^64 − 1)), or a non-canonical bump.
 *
 * @throws InvalidArgumentError that names the account or argument that is wrong.
 */
export function adminSetPropertiesInstruction(
  accounts: AdminSetPropertiesAccounts,
  args: AdminSetPropertiesArgs,
  programId: PublicKey = PROGRAM_ADDRESS,
): TransactionInstruction {
  return buildInstruction(ADMIN_SET_PROPERTIES, programId, accounts, args);
}

/** Reads the arguments from the data of a `adminSetProperties` instruction. @throws DecodeError when it is another one's. */
export function decodeAdminSetPropertiesArgs(data: Uint8Array): AdminSetPropertiesArgs {
  return decodeLayout<AdminSetPropertiesArgs>(ADMIN_SET_PROPERTIES, data);
}

/** Accounts of `buyToken`. */
export interface BuyTokenAccounts {
  /** The trader: pays the SOL and the fee, owns `userTokenAccount`. */
  readonly payerAccount: PublicKey;
  readonly systemProgram: PublicKey;
  readonly tokenProgram: PublicKey;
  /** The curve of `tokenMint`. */
  readonly tokenOwnerPda: PublicKey;
  readonly tokenMint: PublicKey;
  /** The vault. The token program debits it. */
  readonly ownerTokenAccount: PublicKey;
  /** The trader's token account of this mint. */
  readonly userTokenAccount: PublicKey;
  readonly feeAccount: PublicKey;
  readonly propertiesAccount: PublicKey;
  readonly programAccount: PublicKey;
  readonly logAuthorityAccount: PublicKey;
}

/** Positions of the accounts of `buyToken`. */
export const BUY_TOKEN_ACCOUNTS = {
  payerAccount: 0,
  systemProgram: 1,
  tokenProgram: 2,
  tokenOwnerPda: 3,
  tokenMint: 4,
  ownerTokenAccount: 5,
  userTokenAccount: 6,
  feeAccount: 7,
  propertiesAccount: 8,
  programAccount: 9,
  logAuthorityAccount: 10,
} as const;

/** Arguments of `buyToken`. */
export interface BuyTokenArgs {
  readonly pdaTokenNonce: number;
  readonly solToSpend: bigint;
  readonly minTokenToReceive: bigint;
  readonly loggingAccountBump: number;
}

/** First bytes of the data of `buyToken`. */
export const BUY_TOKEN_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  138, 127, 14, 91, 38, 87, 115, 105,
]);

/** Bytes of the data of `buyToken`. */
export const BUY_TOKEN_DATA_SIZE = 26;

const BUY_TOKEN: InstructionLayout<BuyTokenAccounts, BuyTokenArgs> = {
  name: 'buyToken',
  discriminator: BUY_TOKEN_DISCRIMINATOR,
  accounts: {
    payerAccount: 'ws',
    systemProgram: '',
    tokenProgram: '',
    tokenOwnerPda: 'w',
    tokenMint: '',
    ownerTokenAccount: 'w',
    userTokenAccount: 'w',
    feeAccount: 'w',
    propertiesAccount: '',
    programAccount: '',
    logAuthorityAccount: '',
  },
  fields: { pdaTokenNonce: 'u8', solToSpend: 'u64', minTokenToReceive: 'u64', loggingAccountBump: 'u8' },
};

/**
 * Buys tokens for up to `solToSpend` lamports. The buy that reaches the graduation reserve is clipped to it,
 * leaves the rest with the buyer and finalizes the curve.
 *
 * **Authority**: `payerAccount` signs, pays, and owns `userTokenAccount`.
 *
 * **Accounts**: `ownerTokenAccount` is the vault, `feeAccount` the fee receiver.
 *
 * **Arguments**
 * - `pdaTokenNonce`: bump of the curve account
 * - `solToSpend`: lamports, fee included
 * - `minTokenToReceive`: smallest token units; when the buy is clipped it binds the price instead of the
 * amount: `out · sol_to_spend ≥ min_token_to_receive · (net + fee)`
 * - `loggingAccountBump`: canonical bump of the log authority
 *
 * **Errors**: `BondingCurveDoesNotMatchMint`, `TradingClosed`, `SlippageError`, `WrongFeeReceiver`; `LogicalError`
 * for zero lamports, lamports that buy nothing, or a non-canonical `loggingAccountBump`.
 *
 * @throws InvalidArgumentError that names the account or argument that is wrong.
 */
export function buyTokenInstruction(
  accounts: BuyTokenAccounts,
  args: BuyTokenArgs,
  programId: PublicKey = PROGRAM_ADDRESS,
): TransactionInstruction {
  return buildInstruction(BUY_TOKEN, programId, accounts, args);
}

/** Reads the arguments from the data of a `buyToken` instruction. @throws DecodeError when it is another one's. */
export function decodeBuyTokenArgs(data: Uint8Array): BuyTokenArgs {
  return decodeLayout<BuyTokenArgs>(BUY_TOKEN, data);
}

/** Accounts of `createToken`. */
export interface CreateTokenAccounts {
  readonly propertiesAccount: PublicKey;
  /** The creator: pays for every account. */
  readonly payerAccount: PublicKey;
  readonly tokenProgram: PublicKey;
  readonly systemProgram: PublicKey;
  readonly ataProgram: PublicKey;
  readonly tokenMint: PublicKey;
  readonly tokenOwnerPda: PublicKey;
  readonly tokenOwnerTokenAccount: PublicKey;
  readonly tokenMetadataProgram: PublicKey;
  readonly tokenMetadata: PublicKey;
  readonly afterMigrationCommunityContributionWsolStorage: PublicKey;
  readonly afterMigrationCommunityContributionTokenStorage: PublicKey;
  readonly rentSysvar: PublicKey;
  readonly nativeMint: PublicKey;
  readonly dexOwner: PublicKey;
  readonly programAccount: PublicKey;
  readonly logAuthorityAccount: PublicKey;
}

/** Positions of the accounts of `createToken`. */
export const CREATE_TOKEN_ACCOUNTS = {
  propertiesAccount: 0,
  payerAccount: 1,
  tokenProgram: 2,
  systemProgram: 3,
  ataProgram: 4,
  tokenMint: 5,
  tokenOwnerPda: 6,
  tokenOwnerTokenAccount: 7,
  tokenMetadataProgram: 8,
  tokenMetadata: 9,
  afterMigrationCommunityContributionWsolStorage: 10,
  afterMigrationCommunityContributionTokenStorage: 11,
  rentSysvar: 12,
  nativeMint: 13,
  dexOwner: 14,
  programAccount: 15,
  logAuthorityAccount: 16,
} as const;

/** Arguments of `createToken`. */
export interface CreateTokenArgs {
  readonly pdaTokenNonce: number;
  readonly uri: string;
  readonly name: string;
  readonly symbol: string;
  readonly afterMigrationFee: number;
  readonly afterMigrationBurnBp: number;
  readonly afterMigrationHoldersBp: number;
  readonly afterMigrationLpBp: number;
  readonly loggingAccountBump: number;
}

/** First bytes of the data of `createToken`. */
export const CREATE_TOKEN_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  84, 52, 204, 228, 24, 140, 234, 75,
]);

const CREATE_TOKEN: InstructionLayout<CreateTokenAccounts, CreateTokenArgs> = {
  name: 'createToken',
  discriminator: CREATE_TOKEN_DISCRIMINATOR,
  accounts: {
    propertiesAccount: 'w',
    payerAccount: 'ws',
    tokenProgram: '',
    systemProgram: '',
    ataProgram: '',
    tokenMint: 'w',
    tokenOwnerPda: 'w',
    tokenOwnerTokenAccount: 'w',
    tokenMetadataProgram: '',
    tokenMetadata: 'w',
    afterMigrationCommunityContributionWsolStorage: 'w',
    afterMigrationCommunityContributionTokenStorage: 'w',
    rentSysvar: '',
    nativeMint: '',
    dexOwner: '',
    programAccount: '',
    logAuthorityAccount: '',
  },
  fields: {
    pdaTokenNonce: 'u8',
    uri: 'string',
    name: 'string',
    symbol: 'string',
    afterMigrationFee: 'u16',
    afterMigrationBurnBp: 'u16',
    afterMigrationHoldersBp: 'u16',
    afterMigrationLpBp: 'u16',
    loggingAccountBump: 'u8',
  },
};

/**
 * Creates a token: mint, curve, vault, metadata and two community storages; the whole supply goes to the vault.
 *
 * **Authority**: anyone; `payerAccount` signs, pays every rent and is recorded as the creator. `tokenMint` does
 * not sign: the client creates the 82-byte account, owned by the token program, in the same transaction.
 *
 * **Accounts**: the settings must exist. Lamports sent ahead to any new account do not block the creation.
 *
 * **Arguments**
 * - `pdaTokenNonce`: canonical bump of the curve account
 * - `uri` (1–200 bytes), `name` (1–32 bytes), `symbol` (1–10 bytes): of the metadata, UTF-8
 * - `afterMigrationFee`: share of the migrated liquidity for the community, in basis points: 0, 25, 50, 100,
 * 200 or 500
 * - `afterMigrationBurnBp`, `afterMigrationHoldersBp`, `afterMigrationLpBp`: how a community settlement
 * is split, in basis points, at most 10,000 together; the rest is the creator's
 * - `loggingAccountBump`: canonical bump of the log authority
 *
 * **Errors**: `BondingCurveDoesNotMatchMint` for a curve account, vault or nonce that is not the mint's;
 * `LogicalError` for a value out of bounds, a mint that is initialised already, a storage at another address or
 * a non-canonical `loggingAccountBump`.
 *
 * @throws InvalidArgumentError that names the account or argument that is wrong.
 */
export function createTokenInstruction(
  accounts: CreateTokenAccounts,
  args: CreateTokenArgs,
  programId: PublicKey = PROGRAM_ADDRESS,
): TransactionInstruction {
  return buildInstruction(CREATE_TOKEN, programId, accounts, args);
}

/** Reads the arguments from the data of a `createToken` instruction. @throws DecodeError when it is another one's. */
export function decodeCreateTokenArgs(data: Uint8Array): CreateTokenArgs {
  return decodeLayout<CreateTokenArgs>(CREATE_TOKEN, data);
}

/** Accounts of `migrate`. */
export interface MigrateAccounts {
  readonly tokenMint: PublicKey;
  readonly tokenProgram: PublicKey;
  /** The curve of `tokenMint`. */
  readonly tokenOwnerPda: PublicKey;
  /** The fee receiver: authorises the migration and receives the SOL. */
  readonly feeAccount: PublicKey;
  readonly tokenOwnerTokenAccount: PublicKey;
  /** The fee receiver's token account of this mint. */
  readonly feeTokenAccount: PublicKey;
}

/** Positions of the accounts of `migrate`. */
export const MIGRATE_ACCOUNTS = {
  tokenMint: 0,
  tokenProgram: 1,
  tokenOwnerPda: 2,
  feeAccount: 3,
  tokenOwnerTokenAccount: 4,
  feeTokenAccount: 5,
} as const;

/** Arguments of `migrate`. */
export interface MigrateArgs {
  readonly pdaTokenNonce: number;
}

/** First bytes of the data of `migrate`. */
export const MIGRATE_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  155, 234, 231, 146, 236, 158, 162, 30,
]);

/** Bytes of the data of `migrate`. */
export const MIGRATE_DATA_SIZE = 9;

const MIGRATE: InstructionLayout<MigrateAccounts, MigrateArgs> = {
  name: 'migrate',
  discriminator: MIGRATE_DISCRIMINATOR,
  accounts: {
    tokenMint: '',
    tokenProgram: '',
    tokenOwnerPda: 'w',
    feeAccount: 'ws',
    tokenOwnerTokenAccount: 'w',
    feeTokenAccount: 'w',
  },
  fields: { pdaTokenNonce: 'u8' },
};

/**
 * Empties a finalized curve, once: every lamport above its rent and every token of its vault go to the fee
 * receiver, who lists them on a DEX. Donations included.
 *
 * **Authority**: the fee receiver signs as `feeAccount`.
 *
 * **Accounts**: `feeTokenAccount` is the fee receiver's token account of this mint.
 *
 * **Arguments**: `pdaTokenNonce`, bump of the curve account.
 *
 * **Errors**: `BondingCurveDoesNotMatchMint`; `NotReadyToMigrate` while trading; `WrongFeeReceiver`;
 * `LogicalError` when migrated already.
 *
 * @throws InvalidArgumentError that names the account or argument that is wrong.
 */
export function migrateInstruction(
  accounts: MigrateAccounts,
  args: MigrateArgs,
  programId: PublicKey = PROGRAM_ADDRESS,
): TransactionInstruction {
  return buildInstruction(MIGRATE, programId, accounts, args);
}

/** Reads the arguments from the data of a `migrate` instruction. @throws DecodeError when it is another one's. */
export function decodeMigrateArgs(data: Uint8Array): MigrateArgs {
  return decodeLayout<MigrateArgs>(MIGRATE, data);
}

/** Accounts of `sellToken`. */
export interface SellTokenAccounts {
  /** The trader: receives the SOL, owns `userTokenAccount`. */
  readonly payerAccount: PublicKey;
  readonly tokenProgram: PublicKey;
  /** The curve of `tokenMint`. */
  readonly tokenOwnerPda: PublicKey;
  readonly tokenMint: PublicKey;
  readonly ownerTokenAccount: PublicKey;
  /** The trader's token account of this mint. */
  readonly userTokenAccount: PublicKey;
  readonly feeAccount: PublicKey;
  readonly programAccount: PublicKey;
  readonly propertiesAccount: PublicKey;
  readonly logAuthorityAccount: PublicKey;
}

/** Positions of the accounts of `sellToken`. */
export const SELL_TOKEN_ACCOUNTS = {
  payerAccount: 0,
  tokenProgram: 1,
  tokenOwnerPda: 2,
  tokenMint: 3,
  ownerTokenAccount: 4,
  userTokenAccount: 5,
  feeAccount: 6,
  programAccount: 7,
  propertiesAccount: 8,
  logAuthorityAccount: 9,
} as const;

/** Arguments of `sellToken`. */
export interface SellTokenArgs {
  readonly pdaTokenNonce: number;
  readonly tokenToSpend: bigint;
  readonly minSolToReceive: bigint;
  readonly loggingAccountBump: number;
}

/** First bytes of the data of `sellToken`. */
export const SELL_TOKEN_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  109, 61, 40, 187, 230, 176, 135, 174,
]);

/** Bytes of the data of `sellToken`. */
export const SELL_TOKEN_DATA_SIZE = 26;

const SELL_TOKEN: InstructionLayout<SellTokenAccounts, SellTokenArgs> = {
  name: 'sellToken',
  discriminator: SELL_TOKEN_DISCRIMINATOR,
  accounts: {
    payerAccount: 'ws',
    tokenProgram: '',
    tokenOwnerPda: 'w',
    tokenMint: '',
    ownerTokenAccount: 'w',
    userTokenAccount: 'w',
    feeAccount: 'w',
    programAccount: '',
    propertiesAccount: '',
    logAuthorityAccount: '',
  },
  fields: { pdaTokenNonce: 'u8', tokenToSpend: 'u64', minSolToReceive: 'u64', loggingAccountBump: 'u8' },
};

/**
 * Sells exactly `tokenToSpend` token units.
 *
 * **Authority**: `payerAccount` signs, receives the SOL, and owns `userTokenAccount`.
 *
 * **Accounts**: `ownerTokenAccount` is the vault, `feeAccount` the fee receiver.
 *
 * **Arguments**
 * - `pdaTokenNonce`: bump of the curve account
 * - `tokenToSpend`: smallest token units
 * - `minSolToReceive`: lamports after the fee
 * - `loggingAccountBump`: canonical bump of the log authority
 *
 * **Errors**: `BondingCurveDoesNotMatchMint`, `TradingClosed`, `SlippageError`, `WrongFeeReceiver`; `LogicalError`
 * for zero tokens, tokens that yield nothing after the fee, or a non-canonical `loggingAccountBump`.
 *
 * @throws InvalidArgumentError that names the account or argument that is wrong.
 */
export function sellTokenInstruction(
  accounts: SellTokenAccounts,
  args: SellTokenArgs,
  programId: PublicKey = PROGRAM_ADDRESS,
): TransactionInstruction {
  return buildInstruction(SELL_TOKEN, programId, accounts, args);
}

/** Reads the arguments from the data of a `sellToken` instruction. @throws DecodeError when it is another one's. */
export function decodeSellTokenArgs(data: Uint8Array): SellTokenArgs {
  return decodeLayout<SellTokenArgs>(SELL_TOKEN, data);
}

/** Accounts of `validateLogRecord`. */
export interface ValidateLogRecordAccounts {
  /** The log-authority PDA. Only this program can make it sign. */
  readonly loggingAuthority: PublicKey;
}

/** Positions of the accounts of `validateLogRecord`. */
export const VALIDATE_LOG_RECORD_ACCOUNTS = { loggingAuthority: 0 } as const;

/** Arguments of `validateLogRecord`. */
export interface ValidateLogRecordArgs {
  readonly loggingAccountBump: number;
}

/** First bytes of the data of `validateLogRecord`. */
export const VALIDATE_LOG_RECORD_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  172, 61, 131, 190, 98, 217, 155, 176,
]);

/** Bytes of the data of `validateLogRecord`. */
export const VALIDATE_LOG_RECORD_DATA_SIZE = 9;

const VALIDATE_LOG_RECORD: InstructionLayout<ValidateLogRecordAccounts, ValidateLogRecordArgs> = {
  name: 'validateLogRecord',
  discriminator: VALIDATE_LOG_RECORD_DISCRIMINATOR,
  accounts: { loggingAuthority: 's' },
  fields: { loggingAccountBump: 'u8' },
};

/**
 * Accepts a log record: the bytes behind `loggingAccountBump`, which the program itself appends.
 *
 * **Authority**: the log-authority PDA, so only this program, calling itself.
 *
 * **Arguments**: `loggingAccountBump`, canonical bump of the log authority.
 *
 * **Errors**: `LogicalError` for a non-canonical bump; Anchor's own for another or missing signer.
 *
 * @throws InvalidArgumentError that names the account or argument that is wrong.
 */
export function validateLogRecordInstruction(
  accounts: ValidateLogRecordAccounts,
  args: ValidateLogRecordArgs,
  programId: PublicKey = PROGRAM_ADDRESS,
): TransactionInstruction {
  return buildInstruction(VALIDATE_LOG_RECORD, programId, accounts, args);
}

/** Reads the arguments from the data of a `validateLogRecord` instruction. @throws DecodeError when it is another one's. */
export function decodeValidateLogRecordArgs(data: Uint8Array): ValidateLogRecordArgs {
  return decodeLayout<ValidateLogRecordArgs>(VALIDATE_LOG_RECORD, data);
}

/** Discriminators of every instruction, by name. */
export const INSTRUCTION_DISCRIMINATORS = {
  adminSetProperties: ADMIN_SET_PROPERTIES_DISCRIMINATOR,
  buyToken: BUY_TOKEN_DISCRIMINATOR,
  createToken: CREATE_TOKEN_DISCRIMINATOR,
  migrate: MIGRATE_DISCRIMINATOR,
  sellToken: SELL_TOKEN_DISCRIMINATOR,
  validateLogRecord: VALIDATE_LOG_RECORD_DISCRIMINATOR,
} as const;

/** Name of an instruction of this program. */
export type InstructionName = keyof typeof INSTRUCTION_DISCRIMINATORS;
