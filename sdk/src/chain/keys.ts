// Keys and instructions: what the core needs from web3.js at run time. In the entries for Kit, kit/chain/keys.ts stands for it.
import { TransactionInstruction, type AccountMeta, type PublicKey } from '@solana/web3.js';
import { Buffer } from 'buffer';

export { PublicKey } from '@solana/web3.js';

/** The name of the key type in error messages. */
export const KEY_TYPE = 'a PublicKey';

/** @param data is not copied */
export function newInstruction(
  programId: PublicKey,
  keys: AccountMeta[],
  data: Uint8Array,
): TransactionInstruction {
  return new TransactionInstruction({ programId, keys, data: Buffer.from(data.buffer) });
}
