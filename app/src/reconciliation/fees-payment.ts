// Recognises fees that reach a treasury: transferred with the fee receiver's key, or swept by the graduation program.
import { SystemProgram } from '@solana/web3.js';
import type { ChainTransaction } from './chain-transaction.js';

const SYSTEM = SystemProgram.programId.toBase58();
const TRANSFER = 2;
/** Instruction data: the tag and the lamports. */
const TRANSFER_BYTES = 12;

/** Lamports that the fee receiver transfers to treasuries in a transaction that it signed. */
export function feesMovedIn(
  { instructions, signers }: ChainTransaction,
  feeReceiver: string,
  treasuries: ReadonlySet<string>,
): bigint {
  if (!signers.includes(feeReceiver)) return 0n;
  let moved = 0n;
  for (const { program, accounts, data } of instructions) {
    const [from, to] = accounts;
    if (program !== SYSTEM || from !== feeReceiver || to === undefined || !treasuries.has(to)) continue;
    if (data.length === TRANSFER_BYTES && data.readUInt32LE() === TRANSFER) moved += data.readBigUInt64LE(4);
  }
  return moved;
}

/**
 * Lamports that the graduation program swept to treasuries in a transaction. Only `sweep` takes lamports from its fee
 * receiver. If fees arrive in the same transaction, the result is less than the swept amount, never more.
 */
export function feesSweptIn(
  { keys, lamportsGained }: ChainTransaction,
  feeReceiver: string,
  treasuries: ReadonlySet<string>,
): bigint {
  const gainOf = (key: string) => lamportsGained[keys.indexOf(key)] ?? 0n;
  const swept = -gainOf(feeReceiver);
  const arrived = keys.filter((key) => treasuries.has(key)).reduce((sum, key) => sum + gainOf(key), 0n);
  const moved = swept < arrived ? swept : arrived;
  return moved > 0n ? moved : 0n;
}
