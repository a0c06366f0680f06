// Copies of an instruction with one change.
import { type PublicKey, TransactionInstruction } from '@solana/web3.js';

interface AccountChange {
  readonly pubkey?: PublicKey;
  readonly isSigner?: boolean;
  readonly isWritable?: boolean;
}

export function withAccount(
  { programId, keys, data }: TransactionInstruction,
  index: number,
  change: AccountChange,
): TransactionInstruction {
  const changed = keys.map((meta, position) => (position === index ? { ...meta, ...change } : meta));
  return new TransactionInstruction({ programId, keys: changed, data });
}

export function withData(
  { programId, keys }: TransactionInstruction,
  data: Uint8Array,
): TransactionInstruction {
  return new TransactionInstruction({ programId, keys, data: Buffer.from(data) });
}
