// The account on chain that says which database pays from a treasury: its `delegate` is the epoch of that database. Only the
// treasury's signature changes it.
import { createHash } from 'node:crypto';
import {
  ACCOUNT_SIZE,
  createApproveInstruction,
  createInitializeAccount3Instruction,
  NATIVE_MINT,
  TOKEN_PROGRAM_ID,
  unpackAccount,
} from '@solana/spl-token';
import { PublicKey, SystemProgram, type AccountInfo, type TransactionInstruction } from '@solana/web3.js';

const SEED = 'curvekit payer';

export function markAddress(treasury: PublicKey): Promise<PublicKey> {
  return PublicKey.createWithSeed(treasury, SEED, TOKEN_PROGRAM_ID);
}

/**
 * The epoch of a database, in base58. Nobody has a key to it.
 *
 * @param incarnation of `database_incarnation()`
 */
export function markOf(treasury: string, incarnation: string): string {
  const hash = createHash('sha256').update(`${SEED}\n${treasury}\n${incarnation}`).digest();
  return new PublicKey(hash).toBase58();
}

/** The account as the RPC node gave it. Anyone can send lamports to its address before it is opened. */
export type MarkAccount = AccountInfo<Buffer> | null;

/** The epoch in the account; undefined without one. */
export function readMark(address: PublicKey, account: MarkAccount): string | undefined {
  if (!isOpened(account)) return undefined;
  return unpackAccount(address, account).delegate?.toBase58();
}

export function isOpened(account: MarkAccount): boolean {
  return account?.owner.equals(TOKEN_PROGRAM_ID) === true;
}

/** Lamports that opening the account takes from the treasury. @param rent the rent-exempt minimum of a token account */
export function costOfOpening(account: MarkAccount, rent: number): number {
  return isOpened(account) ? 0 : Math.max(rent - (account?.lamports ?? 0), 0);
}

/** Writes an epoch. The account has no tokens, and the epoch may spend none. Of two transactions that open it, one fails. */
export function writeMark(
  treasury: PublicKey,
  mark: string,
  {
    address,
    account,
    rent,
  }: { readonly address: PublicKey; readonly account: MarkAccount; readonly rent: number },
): readonly TransactionInstruction[] {
  const write = createApproveInstruction(address, new PublicKey(mark), treasury, 0);
  if (isOpened(account)) return [write];
  // Not `createAccountWithSeed`, which refuses an address that somebody has sent lamports to.
  return [
    SystemProgram.transfer({
      fromPubkey: treasury,
      toPubkey: address,
      lamports: costOfOpening(account, rent),
    }),
    SystemProgram.allocate({
      accountPubkey: address,
      basePubkey: treasury,
      seed: SEED,
      space: ACCOUNT_SIZE,
      programId: TOKEN_PROGRAM_ID,
    }),
    createInitializeAccount3Instruction(address, NATIVE_MINT, treasury),
    write,
  ];
}
