import { KEY_TYPE, PublicKey } from '../chain/keys.js';
import { decodeBase58 } from '../encoding/base58.js';
import { InvalidArgumentError, notA } from '../errors/base.js';

export * from './numbers.js';
export * from './text.js';

/** @throws InvalidArgumentError unless `value` is a boolean. */
export function requireBoolean(argument: string, value: boolean): boolean {
  if (typeof value !== 'boolean') throw notA(argument, 'a boolean', value);
  return value;
}

const KEY_SIZE = 32;

/** A key, or the key of an address as text. @throws InvalidArgumentError for another text */
export function keyFrom(argument: string, value: PublicKey | string): PublicKey {
  if (typeof value !== 'string') return value;
  try {
    const bytes = decodeBase58(value);
    // web3.js pads a text that is too short.
    if (bytes.length === KEY_SIZE) return new PublicKey(bytes);
  } catch {
    // Not base58.
  }
  throw new InvalidArgumentError(
    argument,
    `is "${value}"; give ${KEY_TYPE}, or its ${KEY_SIZE} bytes in base58`,
  );
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
