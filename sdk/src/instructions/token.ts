// The instructions of the System, Token and Associated Token Account programs that the SDK adds around its own.
import { associatedTokenAddress } from '../accounts/addresses.js';
import type { PublicKey, TransactionInstruction } from '../chain/types.js';
import { requireAccountKey, requireInteger, requireU64 } from '../checks/keys.js';
import { buildInstruction } from '../codec/instruction.js';
import {
  ATA_PROGRAM_ADDRESS,
  NATIVE_MINT_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../generated/program.js';
import {
  ALLOCATE,
  ASSIGN,
  CLOSE_ACCOUNT,
  CREATE_ACCOUNT,
  CREATE_TOKEN_ACCOUNT_IF_MISSING,
  SYNC_NATIVE,
  TRANSFER,
} from './foreign.js';

/** Bytes of a classic SPL mint account. */
export const MINT_ACCOUNT_SIZE = 82;

/**
 * Creates `mint` as an empty account of the token program, as `createToken` needs it. The mint's key must sign.
 *
 * @param heldLamports lamports that somebody has already sent to the address. `createAccount` would then fail, so the
 *   instructions transfer the missing lamports, allocate the space and assign the account
 */
export function createMintAccount(
  payer: PublicKey,
  mint: PublicKey,
  rentLamports: number,
  heldLamports: bigint,
): TransactionInstruction[] {
  requireAccountKey('payer', payer);
  requireAccountKey('mint', mint);
  requireInteger('rentLamports', rentLamports, Number.MAX_SAFE_INTEGER, 1);
  requireU64('heldLamports', heldLamports);
  const owner = TOKEN_PROGRAM_ADDRESS;
  const space = BigInt(MINT_ACCOUNT_SIZE);
  const accounts = { payer, account: mint };
  const system = SYSTEM_PROGRAM_ADDRESS;
  const rent = BigInt(rentLamports);
  if (heldLamports === 0n)
    return [buildInstruction(CREATE_ACCOUNT, system, accounts, { lamports: rent, space, owner })];
  const instructions = [
    buildInstruction(ALLOCATE, system, accounts, { space }),
    buildInstruction(ASSIGN, system, accounts, { owner }),
  ];
  const lamports = rent - heldLamports;
  if (lamports > 0n) instructions.unshift(buildInstruction(TRANSFER, system, accounts, { lamports }));
  return instructions;
}

/** Creates a wallet's associated token account. Does nothing when it exists. */
export function createTokenAccountIfMissing(
  payer: PublicKey,
  owner: PublicKey,
  mint: PublicKey,
): TransactionInstruction {
  const account = associatedTokenAddress(owner, mint).address;
  const programs = { systemProgram: SYSTEM_PROGRAM_ADDRESS, tokenProgram: TOKEN_PROGRAM_ADDRESS };
  const accounts = { payer, account, owner, mint, ...programs };
  return buildInstruction(CREATE_TOKEN_ACCOUNT_IF_MISSING, ATA_PROGRAM_ADDRESS, accounts, {});
}

/**
 * Closes a token account; its rent goes to the owner. The token program refuses when the account holds tokens, except
 * wrapped SOL, which the owner receives.
 */
export function closeTokenAccount(tokenAccount: PublicKey, owner: PublicKey): TransactionInstruction {
  const accounts = { account: tokenAccount, receiver: owner, owner };
  return buildInstruction(CLOSE_ACCOUNT, TOKEN_PROGRAM_ADDRESS, accounts, {});
}

/** Opens a wallet's wrapped SOL account if it does not exist, and wraps `lamports` in it. */
export function wrapSol(owner: PublicKey, lamports: bigint): TransactionInstruction[] {
  const account = associatedTokenAddress(owner, NATIVE_MINT_ADDRESS).address;
  return [
    createTokenAccountIfMissing(owner, owner, NATIVE_MINT_ADDRESS),
    buildInstruction(TRANSFER, SYSTEM_PROGRAM_ADDRESS, { payer: owner, account }, { lamports }),
    buildInstruction(SYNC_NATIVE, TOKEN_PROGRAM_ADDRESS, { account }, {}),
  ];
}
