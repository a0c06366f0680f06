import { PublicKey } from '@solana/web3.js';
import { InvalidArgumentError } from './errors.js';

/** The largest amount an account or argument can hold. */
export const U64_MAX = 0xffff_ffff_ffff_ffffn;

/** @throws InvalidArgumentError unless `value` is a bigint from 0 to 2^64 − 1. */
export function requireU64(argument: string, value: bigint): bigint {
  if (typeof value !== 'bigint') throw notA(argument, 'a bigint', value);
  if (value < 0n) throw new InvalidArgumentError(argument, `is ${value}; it must not be negative`);
  if (value > U64_MAX)
    throw new InvalidArgumentError(argument, `is ${value}; it must not exceed ${U64_MAX} (u64)`);
  return value;
}

/** @throws InvalidArgumentError unless `value` is a bigint from 1 to 2^64 − 1. */
export function requirePositiveU64(argument: string, value: bigint): bigint {
  if (requireU64(argument, value) === 0n)
    throw new InvalidArgumentError(argument, 'is 0; it must be positive');
  return value;
}

/** A bigint as the number that web3.js asks for. @throws InvalidArgumentError unless it is from 1 to 2^53 − 1. */
export function requirePositiveSafeInteger(argument: string, value: bigint): number {
  if (requirePositiveU64(argument, value) > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new InvalidArgumentError(argument, `is ${value}; it must not exceed ${Number.MAX_SAFE_INTEGER}`);
  }
  return Number(value);
}

/** @throws InvalidArgumentError unless `value` is an integer from `min` to `max`. */
export function requireInteger(argument: string, value: number, max: number, min = 0): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw notA(argument, 'an integer', value);
  if (value < min || value > max) {
    throw new InvalidArgumentError(argument, `is ${value}; it must be from ${min} to ${max}`);
  }
  return value;
}

/** @throws InvalidArgumentError unless `value` is a boolean. */
export function requireBoolean(argument: string, value: boolean): boolean {
  if (typeof value !== 'boolean') throw notA(argument, 'a boolean', value);
  return value;
}

/** @throws InvalidArgumentError unless `value` is a string of well-formed Unicode, 1 to `maxBytes` bytes long in UTF-8. */
export function requireText(argument: string, value: string, maxBytes: number): string {
  const { length } = encodeText(argument, value);
  if (length === 0) throw new InvalidArgumentError(argument, 'is empty; it needs at least 1 byte');
  if (length > maxBytes) {
    throw new InvalidArgumentError(argument, `is ${length} bytes long in UTF-8; at most ${maxBytes} fit`);
  }
  return value;
}

/** UTF-8 bytes of a string. @throws InvalidArgumentError for anything else, and for half a surrogate pair. */
export function encodeText(argument: string, value: string): Uint8Array {
  if (typeof value !== 'string') throw notA(argument, 'a string', value);
  // TextEncoder would silently write U+FFFD in its place.
  if (LONE_SURROGATE.test(value)) {
    throw new InvalidArgumentError(argument, 'holds half of a surrogate pair, which UTF-8 cannot express');
  }
  return new TextEncoder().encode(value);
}

/** @throws InvalidArgumentError unless `value` is a public key. */
export function requireKey(argument: string, value: PublicKey): PublicKey {
  if (!isKey(value)) throw notA(argument, 'a PublicKey', value);
  return value;
}

/** @throws InvalidArgumentError unless `value` is a public key other than the all-zero one, the System program. */
export function requireAccountKey(argument: string, value: PublicKey): PublicKey {
  if (requireKey(argument, value).equals(PublicKey.default)) {
    throw new InvalidArgumentError(argument, 'is the all-zero key, which is the System program');
  }
  return value;
}

/** A key as a seed of an address. @throws InvalidArgumentError as {@link requireAccountKey} does. */
export function keyBytes(argument: string, key: PublicKey): Uint8Array {
  return requireAccountKey(argument, key).toBytes();
}

/** Whether a value is a public key, of this copy of web3.js or of another one. */
export function isKey(value: unknown): value is PublicKey {
  if (value instanceof PublicKey) return true;
  const candidate = value as Partial<PublicKey> | null | undefined;
  return typeof candidate?.toBytes === 'function' && typeof candidate.equals === 'function';
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function notA(argument: string, expected: string, value: unknown): InvalidArgumentError {
  const actual =
    value === null ? 'null' : typeof value === 'number' ? `the number ${value}` : `of type ${typeof value}`;
  return new InvalidArgumentError(argument, `is ${actual}; it must be ${expected}`);
}
