// The instructions of the System, Token and Associated Token Account programs that the SDK adds around its own.
import type { PublicKey } from '@solana/web3.js';
import { associatedTokenAddress } from './addresses.js';
import { Buffer, SystemProgram, TransactionInstruction } from './chain.js';
import {
  ATA_PROGRAM_ADDRESS,
  NATIVE_MINT_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from './generated/program.js';
import { requireAccountKey, requireInteger, requireU64 } from './validation.js';

/** Bytes of a classic SPL mint account. */
export const MINT_ACCOUNT_SIZE = 82;

/** Rent exemption of a mint account in lamports: `(128 + 82) bytes · 3,480 lamports a year · 2 years`. */
export const MINT_ACCOUNT_RENT = 1_461_600n;

const CREATE_IDEMPOTENT = 1;
const CLOSE_ACCOUNT = 9;
const SYNC_NATIVE = 17;

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
  const programId = TOKEN_PROGRAM_ADDRESS;
  const space = MINT_ACCOUNT_SIZE;
  if (heldLamports === 0n) {
    const account = { fromPubkey: payer, newAccountPubkey: mint, lamports: rentLamports, space, programId };
    return [SystemProgram.createAccount(account)];
  }
  const instructions = [
    SystemProgram.allocate({ accountPubkey: mint, space }),
    SystemProgram.assign({ accountPubkey: mint, programId }),
  ];
  const lamports = BigInt(rentLamports) - heldLamports;
  if (lamports > 0n)
    instructions.unshift(SystemProgram.transfer({ fromPubkey: payer, toPubkey: mint, lamports }));
  return instructions;
}

/** Creates a wallet's associated token account. Does nothing when it exists. */
export function createTokenAccountIfMissing(
  payer: PublicKey,
  owner: PublicKey,
  mint: PublicKey,
): TransactionInstruction {
  return new TransactionInstruction({
    programId: ATA_PROGRAM_ADDRESS,
    keys: [
      { pubkey: payer, isSigner: true, isWritable: true },
      { pubkey: associatedTokenAddress(owner, mint).address, isSigner: false, isWritable: true },
      { pubkey: owner, isSigner: false, isWritable: false },
      { pubkey: mint, isSigner: false, isWritable: false },
      { pubkey: SYSTEM_PROGRAM_ADDRESS, isSigner: false, isWritable: false },
      { pubkey: TOKEN_PROGRAM_ADDRESS, isSigner: false, isWritable: false },
    ],
    data: Buffer.from([CREATE_IDEMPOTENT]),
  });
}

/**
 * Closes a token account; its rent goes to the owner. The token program refuses when the account holds tokens, except
 * wrapped SOL, which the owner receives.
 */
export function closeTokenAccount(tokenAccount: PublicKey, owner: PublicKey): TransactionInstruction {
  return new TransactionInstruction({
    programId: TOKEN_PROGRAM_ADDRESS,
    keys: [
      { pubkey: tokenAccount, isSigner: false, isWritable: true },
      { pubkey: owner, isSigner: false, isWritable: true },
      { pubkey: owner, isSigner: true, isWritable: false },
    ],
    data: Buffer.from([CLOSE_ACCOUNT]),
  });
}

/** Opens a wallet's wrapped SOL account if it does not exist, and wraps `lamports` in it. */
export function wrapSol(owner: PublicKey, lamports: bigint): TransactionInstruction[] {
  const account = associatedTokenAddress(owner, NATIVE_MINT_ADDRESS).address;
  const sync = new TransactionInstruction({
    programId: TOKEN_PROGRAM_ADDRESS,
    keys: [{ pubkey: account, isSigner: false, isWritable: true }],
    data: Buffer.from([SYNC_NATIVE]),
  });
  return [
    createTokenAccountIfMissing(owner, owner, NATIVE_MINT_ADDRESS),
    SystemProgram.transfer({ fromPubkey: owner, toPubkey: account, lamports }),
    sync,
  ];
}
