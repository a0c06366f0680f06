// Helpers of the generated instruction builders.
import type { AccountMeta, PublicKey } from '@solana/web3.js';
import { Buffer } from './chain.js';
import { requireKey } from './validation.js';

/** `w`: writable. `s`: signer. */
type Flags = '' | 'w' | 's' | 'ws';

/** The accounts of an instruction, in the order of `flags`. Throws when one is missing or not a key. */
export function metas<T extends object>(
  accounts: T,
  flags: { readonly [Name in keyof T]-?: Flags },
): AccountMeta[] {
  const keys = accounts as Readonly<Record<string, PublicKey>>;
  return Object.entries<Flags>(flags).map(([name, flag]) => ({
    pubkey: requireKey(name, keys[name]!),
    isWritable: flag.includes('w'),
    isSigner: flag.includes('s'),
  }));
}

/** An instruction's data as the Buffer that web3.js expects, without a copy. */
export function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
