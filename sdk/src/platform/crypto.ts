// Hashes and random names, also where `crypto.subtle` or all of `crypto` is missing: React Native, pages without TLS, jsdom.
import { sha256 } from './sha256.js';

interface PlatformCrypto {
  readonly subtle?: Pick<SubtleCrypto, 'digest'>;
  readonly randomUUID?: () => string;
  readonly getRandomValues?: (bytes: Uint8Array) => Uint8Array;
}

function platformCrypto(): PlatformCrypto {
  return (globalThis as { readonly crypto?: PlatformCrypto }).crypto ?? {};
}

/** SHA-256, in hexadecimal digits. */
export async function sha256Hex(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = platformCrypto();
  const hash = subtle === undefined ? sha256(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes));
  return hex(hash);
}

/** A text that no other call returns. Not a secret. */
export function uniqueId(): string {
  const crypto = platformCrypto();
  if (crypto.randomUUID !== undefined) return crypto.randomUUID();
  const bytes = new Uint8Array(16);
  if (crypto.getRandomValues !== undefined) crypto.getRandomValues(bytes);
  else bytes.forEach((_, index) => (bytes[index] = Math.floor(256 * Math.random())));
  return hex(bytes);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
