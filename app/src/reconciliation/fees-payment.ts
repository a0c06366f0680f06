// Recognises fees that the fee receiver moves to a treasury, by the service's job or by hand.
import { SystemProgram } from '@solana/web3.js';
import type { ChainTransaction } from './chain-transaction.js';

const SYSTEM = SystemProgram.programId.toBase58();
const TRANSFER = 2;
/** The tag and the lamports. */
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
