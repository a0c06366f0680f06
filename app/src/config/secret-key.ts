// Reads keypair files. Without zod and web3.js, so that the command line's help starts fast.
import { createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';

const SECRET_KEY_BYTES = 64;
const SEED_BYTES = 32;

/**
 * The secret key of a keypair: the seed, then the public key.
 *
 * @param text the path of a file as `solana-keygen` writes it, or that file's content
 * @throws a message that continues "VARIABLE …" and never quotes the value
 */
export function readSecretKey(text: string): Uint8Array {
  const content = text.startsWith('[') ? text : readKeyFile(text);
  let bytes: unknown;
  try {
    bytes = JSON.parse(content);
  } catch {
    throw new Error('is not the JSON array of a keypair file; make one with `solana-keygen new -o FILE`');
  }
  const isKey =
    Array.isArray(bytes) &&
    bytes.length === SECRET_KEY_BYTES &&
    bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  if (!isKey)
    throw new Error(`must hold ${SECRET_KEY_BYTES} bytes; make one with \`solana-keygen new -o FILE\``);
  const secretKey = Uint8Array.from(bytes as number[]);
  if (!holdsItsPublicKey(secretKey))
    throw new Error(
      'holds a secret key that does not fit its public key; make one with `solana-keygen new -o FILE`',
    );
  return secretKey;
}

function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
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
