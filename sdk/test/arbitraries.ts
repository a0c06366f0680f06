// Random values of each IDL type for property tests, extremes included.
import { PublicKey } from '@solana/web3.js';
import fc from 'fast-check';

const integer = (max: number) => fc.oneof(fc.constantFrom(0, 1, max - 1, max), fc.integer({ min: 0, max }));
const bigint = (min: bigint, max: bigint) =>
  fc.oneof(fc.constantFrom(min, min + 1n, 0n, 1n, max - 1n, max), fc.bigInt(min, max));

export const u8 = integer(0xff);
export const u16 = integer(0xffff);
export const u64 = bigint(0n, 2n ** 64n - 1n);
export const i64 = bigint(-(2n ** 63n), 2n ** 63n - 1n);
export const text = fc.string({ unit: 'binary', maxLength: 200 });
export const publicKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => new PublicKey(bytes));

/** The arbitrary for each IDL type, by the name of the type. */
export const BY_TYPE: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  bool: fc.boolean(),
  u8,
  u16,
  u64,
  i64,
  string: text,
  pubkey: publicKey,
};
