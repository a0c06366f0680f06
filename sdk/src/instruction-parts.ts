// Helpers of the generated instruction builders.
import type { AccountMeta, PublicKey } from '@solana/web3.js';
import { Buffer } from './chain.js';
import { requireKey } from './validation.js';

/** The account of an instruction. Throws when it is missing or not a key. */
export function meta(
  argument: string,
  pubkey: PublicKey,
  isWritable: boolean,
  isSigner: boolean,
): AccountMeta {
  return { pubkey: requireKey(argument, pubkey), isWritable, isSigner };
}

/** An instruction's data as the Buffer that web3.js expects, without a copy. */
export function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
