// Reads keypair files. Without zod and web3.js, so that the command line's help starts fast.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { decodeBase58 } from '../base/base58.js';
import { decodeText } from './files.js';
import { isSignerUrl, parseSignerUrl, type SignerUrl } from '../keys/signer-url.js';

const SECRET_KEY_BYTES = 64;
const SEED_BYTES = 32;

/** 64 bytes in base58, as Phantom exports a key. */
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{86,88}$/;
const MAKE = 'make one with `solana-keygen new -o FILE`';

/**
 * The secret key of a keypair: the seed, then the public key.
 *
 * @param text the path of a file as `solana-keygen` writes it, or that file's content; either may be base58 instead
 * @throws a message that continues "VARIABLE …" and never quotes the value
 */
function readSecretKey(text: string): Uint8Array {
  const secretKey = bytesOf((isKeyContent(text) ? text : readKeyFile(text)).trim());
  if (!holdsItsPublicKey(secretKey))
    throw new Error(`holds a secret key that does not fit its public key; ${MAKE}`);
  return secretKey;
}

/** Whether text is a key itself, and not the path of its file. */
function isKeyContent(text: string): boolean {
  return text.startsWith('[') || BASE58.test(text);
}

function bytesOf(content: string): Uint8Array {
  if (BASE58.test(content)) {
    const decoded = decodeBase58(content, SECRET_KEY_BYTES);
    if (decoded !== undefined) return decoded;
  }
  let bytes: unknown;
  try {
    bytes = JSON.parse(content);
  } catch {
    throw new Error(
      `is neither the JSON array of a keypair file nor the base58 text of a secret key of ${SECRET_KEY_BYTES} bytes; ${MAKE}`,
    );
  }
  const isKey =
    Array.isArray(bytes) &&
    bytes.length === SECRET_KEY_BYTES &&
    bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  if (!isKey) throw new Error(`must hold ${SECRET_KEY_BYTES} bytes; ${MAKE}`);
  return Uint8Array.from(bytes as number[]);
}

function readKeyFile(path: string): string {
  try {
    return decodeText(readFileSync(path));
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new Error(
      `must be the path of a keypair file, or its content; the file cannot be read (${reason})`,
      { cause: error },
    );
  }
}

function holdsItsPublicKey(secretKey: Uint8Array): boolean {
  const d = base64url(secretKey.subarray(0, SEED_BYTES));
  const x = base64url(secretKey.subarray(SEED_BYTES));
  try {
    const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
    return createPublicKey(key).export({ format: 'jwk' }).x === x;
  } catch {
    // Newer versions of Node refuse to import such a key.
    return false;
  }
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

// Reads the value of a key: a secret key, or the URL of a signer. Without web3.js, as `secret-key.ts`.

/** @throws a message that continues "VARIABLE …" and never quotes a secret */
export function readKey(text: string): Uint8Array | SignerUrl {
  return isSignerUrl(text) ? parseSignerUrl(text) : readSecretKey(text);
}

export function isKeyFile(text: string): boolean {
  return !isSignerUrl(text) && !isKeyContent(text);
}
