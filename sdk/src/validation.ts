import { KEY_TYPE, PublicKey } from './chain.js';
import { InvalidArgumentError } from './errors.js';
import { notA } from './numbers.js';

export * from './numbers.js';

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

/** UTF-8 bytes of a string. @throws InvalidArgumentError for other values, and for half of a surrogate pair. */
export function encodeText(argument: string, value: string): Uint8Array {
  if (typeof value !== 'string') throw notA(argument, 'a string', value);
  // TextEncoder would silently write U+FFFD instead.
  if (LONE_SURROGATE.test(value)) {
    throw new InvalidArgumentError(argument, 'holds half of a surrogate pair, which UTF-8 cannot express');
  }
  return new TextEncoder().encode(value);
}

/** @throws InvalidArgumentError unless `value` is a public key. */
export function requireKey(argument: string, value: PublicKey): PublicKey {
  if (!isKey(value)) throw notA(argument, KEY_TYPE, value);
  return value;
}

/** @throws InvalidArgumentError unless `value` is a public key other than the all-zero one, the System program. */
export function requireAccountKey(argument: string, value: PublicKey): PublicKey {
  if (requireKey(argument, value).equals(PublicKey.default)) {
    throw new InvalidArgumentError(argument, 'is the all-zero key, which is the System program');
  }
  return value;
}

/** The bytes of a key, as a seed of an address. @throws InvalidArgumentError as {@link requireAccountKey} */
export function keyBytes(argument: string, key: PublicKey): Uint8Array {
  return requireAccountKey(argument, key).toBytes();
}

/** Whether a value is a public key, from this copy of web3.js or another one. */
export function isKey(value: unknown): value is PublicKey {
  if (value instanceof PublicKey) return true;
  const candidate = value as Partial<PublicKey> | null | undefined;
  return typeof candidate?.toBytes === 'function' && typeof candidate.equals === 'function';
}

const LONE_SURROGATE = /\p{Surrogate}/u;
