// Generated from programs/artifacts/graduation.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import type { PublicKey, TransactionInstruction } from '../../chain/types.js';
import { buildInstruction, decodeLayout, type InstructionLayout } from '../../codec/instruction.js';
import { PROGRAM_ADDRESS } from './program.js';

/** Accounts of `graduate`. */
export interface GraduateAccounts {
  /** Anyone: lends the rents of three token accounts. */
  readonly payerAccount: PublicKey;
  readonly feeReceiver: PublicKey;
  readonly poolCreator: PublicKey;
  readonly tokenMint: PublicKey;
  readonly nativeMint: PublicKey;
  readonly tokenOwnerPda: PublicKey;
  readonly tokenOwnerTokenAccount: PublicKey;
  readonly tokens: PublicKey;
  readonly wrappedSol: PublicKey;
  readonly communityWsolStorage: PublicKey;
  readonly communityTokenStorage: PublicKey;
  readonly curveProgram: PublicKey;
  readonly programAccount: PublicKey;
  readonly tokenProgram: PublicKey;
  readonly systemProgram: PublicKey;
  readonly ammProgram: PublicKey;
  readonly ammConfig: PublicKey;
  readonly ammAuthority: PublicKey;
  readonly pool: PublicKey;
  readonly lpMint: PublicKey;
  readonly lpTokens: PublicKey;
  readonly poolVault0: PublicKey;
  readonly poolVault1: PublicKey;
  readonly poolFeeReceiver: PublicKey;
  readonly observation: PublicKey;
  readonly ataProgram: PublicKey;
  readonly rentSysvar: PublicKey;
}

/** Positions of the accounts of `graduate`. */
export const GRADUATE_ACCOUNTS = {
  payerAccount: 0,
  feeReceiver: 1,
  poolCreator: 2,
  tokenMint: 3,
  nativeMint: 4,
  tokenOwnerPda: 5,
  tokenOwnerTokenAccount: 6,
  tokens: 7,
  wrappedSol: 8,
  communityWsolStorage: 9,
  communityTokenStorage: 10,
  curveProgram: 11,
  programAccount: 12,
  tokenProgram: 13,
  systemProgram: 14,
  ammProgram: 15,
  ammConfig: 16,
  ammAuthority: 17,
  pool: 18,
  lpMint: 19,
  lpTokens: 20,
  poolVault0: 21,
  poolVault1: 22,
  poolFeeReceiver: 23,
  observation: 24,
  ataProgram: 25,
  rentSysvar: 26,
} as const;

/** Arguments of `graduate`. */
export interface GraduateArgs {
  readonly pdaTokenNonce: number;
  readonly communityWsolBump: number;
  readonly communityTokenBump: number;
  readonly tokensBump: number;
  readonly wrappedSolBump: number;
  readonly poolBump: number;
}

/** First bytes of the data of `graduate`. */
export const GRADUATE_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  45, 235, 225, 181, 17, 218, 64, 130,
]);

/** Bytes of the data of `graduate`. */
export const GRADUATE_DATA_SIZE = 14;

const GRADUATE: InstructionLayout<GraduateAccounts, GraduateArgs> = {
  name: 'graduate',
  discriminator: GRADUATE_DISCRIMINATOR,
  accounts: {
    payerAccount: 'ws',
    feeReceiver: 'w',
    poolCreator: 'w',
    tokenMint: 'w',
    nativeMint: '',
    tokenOwnerPda: 'w',
    tokenOwnerTokenAccount: 'w',
    tokens: 'w',
    wrappedSol: 'w',
    communityWsolStorage: 'w',
    communityTokenStorage: 'w',
    curveProgram: '',
    programAccount: '',
    tokenProgram: '',
    systemProgram: '',
    ammProgram: '',
    ammConfig: '',
    ammAuthority: '',
    pool: 'w',
    lpMint: 'w',
    lpTokens: 'w',
    poolVault0: 'w',
    poolVault1: 'w',
    poolFeeReceiver: 'w',
    observation: 'w',
    ataProgram: '',
    rentSysvar: '',
  },
  fields: {
    pdaTokenNonce: 'u8',
    communityWsolBump: 'u8',
    communityTokenBump: 'u8',
    tokensBump: 'u8',
    wrappedSolBump: 'u8',
    poolBump: 'u8',
  },
};

/**
 * Takes a graduated curve to its pool, once: migrates it, pays the community's share into the two storages, opens
 * the pool at the curve's closing price and burns the liquidity. All of it happens, or nothing.
 *
 * **Authority**: anyone. `payerAccount` signs, lends the rents of three token accounts (0.00612 SOL today) and gets
 * them back in the same instruction.
 *
 * **Accounts**: `feeReceiver` and `poolCreator` are PDAs of this program. `tokens` and `wrappedSol` are token
 * accounts that exist only within the instruction. `pool` has one address for each mint, which only this program
 * can sign for. Lamports sent ahead to any of these do not block the graduation: they go to the fee receiver, but
 * for those at `poolCreator` that pay the AMM's price above 0.3 SOL.
 *
 * **Amounts**: the migration pays what the pool costs. Each storage gets `floor(amount · after_migration_fee /
 * 10,000)` of its side; where its owner has closed one of the two, neither gets anything, and both shares stay in the
 * pool: a share of one side alone would move the price. The record says what the storages gained. The pool
 * gets all SOL that is left, and `floor(SOL · virtual_token / virtual_sol)` tokens or as many as there are. The
 * tokens beyond that are burnt.
 *
 * **Arguments**
 * - `pdaTokenNonce`: canonical bump of the curve account
 * - `communityWsolBump`, `communityTokenBump`: canonical bumps of the two storages
 * - `tokensBump`, `wrappedSolBump`: bumps of the two token accounts
 * - `poolBump`: canonical bump of the pool
 *
 * **Errors**: the bonding curve's `NotReadyToMigrate` while the curve trades, its `LogicalError` when it is migrated
 * already. `WrongAccount`; `PoolFeeTooHigh` when the AMM asks more than 0.3 SOL and `poolCreator` does not
 * hold the rest; `TooLittleForPool`; `PoolMismatch`;
 * `FeesTouched`; errors of the AMM, for example when it has disabled new pools. The money then waits in the curve.
 *
 * @throws InvalidArgumentError that names the account or argument that is wrong.
 */
export function graduateInstruction(
  accounts: GraduateAccounts,
  args: GraduateArgs,
  programId: PublicKey = PROGRAM_ADDRESS,
): TransactionInstruction {
  return buildInstruction(GRADUATE, programId, accounts, args);
}

/** Reads the arguments from the data of a `graduate` instruction. @throws DecodeError when it is another one's. */
export function decodeGraduateArgs(data: Uint8Array): GraduateArgs {
  return decodeLayout<GraduateArgs>(GRADUATE, data);
}

/** Accounts of `sweep`. */
export interface SweepAccounts {
  /** The admin this program was built with. */
  readonly adminAccount: PublicKey;
  readonly feeReceiver: PublicKey;
  readonly treasury: PublicKey;
  readonly systemProgram: PublicKey;
}

/** Positions of the accounts of `sweep`. */
export const SWEEP_ACCOUNTS = { adminAccount: 0, feeReceiver: 1, treasury: 2, systemProgram: 3 } as const;

/** First bytes of the data of `sweep`. */
export const SWEEP_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  40, 23, 234, 175, 14, 61, 154, 177,
]);

/** Bytes of the data of `sweep`. */
export const SWEEP_DATA_SIZE = 8;

const SWEEP: InstructionLayout<SweepAccounts, object> = {
  name: 'sweep',
  discriminator: SWEEP_DISCRIMINATOR,
  accounts: { adminAccount: 's', feeReceiver: 'w', treasury: 'w', systemProgram: '' },
  fields: {},
};

/**
 * Moves the platform fees to the treasury: all lamports of the fee receiver above its rent exemption.
 *
 * **Authority**: the admin signs as `adminAccount`.
 *
 * **Accounts**: `treasury` is the one address this program was built with.
 *
 * **Errors**: `WrongAdmin`, `WrongAccount`, `NothingToSweep`.
 *
 * @throws InvalidArgumentError that names the account or argument that is wrong.
 */
export function sweepInstruction(
  accounts: SweepAccounts,

  programId: PublicKey = PROGRAM_ADDRESS,
): TransactionInstruction {
  return buildInstruction(SWEEP, programId, accounts, {});
}

/** Accounts of `validateLogRecord`. */
export interface ValidateLogRecordAccounts {
  /** Only this program can make it sign. */
  readonly feeReceiver: PublicKey;
}

/** Positions of the accounts of `validateLogRecord`. */
export const VALIDATE_LOG_RECORD_ACCOUNTS = { feeReceiver: 0 } as const;

/** First bytes of the data of `validateLogRecord`. */
export const VALIDATE_LOG_RECORD_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  172, 61, 131, 190, 98, 217, 155, 176,
]);

/** Bytes of the data of `validateLogRecord`. */
export const VALIDATE_LOG_RECORD_DATA_SIZE = 8;

const VALIDATE_LOG_RECORD: InstructionLayout<ValidateLogRecordAccounts, object> = {
  name: 'validateLogRecord',
  discriminator: VALIDATE_LOG_RECORD_DISCRIMINATOR,
  accounts: { feeReceiver: 's' },
  fields: {},
};

/**
 * Accepts a log record: the bytes behind the instruction's tag, which the program itself appends.
 *
 * **Authority**: the fee receiver, so only this program, calling itself.
 *
 * **Errors**: Anchor's own for another or missing signer.
 *
 * @throws InvalidArgumentError that names the account or argument that is wrong.
 */
export function validateLogRecordInstruction(
  accounts: ValidateLogRecordAccounts,

  programId: PublicKey = PROGRAM_ADDRESS,
): TransactionInstruction {
  return buildInstruction(VALIDATE_LOG_RECORD, programId, accounts, {});
}

/** Discriminators of every instruction, by name. */
export const INSTRUCTION_DISCRIMINATORS = {
  graduate: GRADUATE_DISCRIMINATOR,
  sweep: SWEEP_DISCRIMINATOR,
  validateLogRecord: VALIDATE_LOG_RECORD_DISCRIMINATOR,
} as const;

/** Name of an instruction of this program. */
export type InstructionName = keyof typeof INSTRUCTION_DISCRIMINATORS;
