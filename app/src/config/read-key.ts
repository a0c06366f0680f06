// Reads the value of a key: a secret key, or the URL of a signer. Without web3.js, as `secret-key.ts`.
import { isSignerUrl, parseSignerUrl, type SignerUrl } from '../keys/signer-url.js';
import { isKeyContent, readSecretKey } from './secret-key.js';

/** @throws a message that continues "VARIABLE …" and never quotes a secret */
export function readKey(text: string): Uint8Array | SignerUrl {
  return isSignerUrl(text) ? parseSignerUrl(text) : readSecretKey(text);
}

/** Whether the value is the path of a file. */
export function isKeyFile(text: string): boolean {
  return !isSignerUrl(text) && !isKeyContent(text);
}
