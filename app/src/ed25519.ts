import { createPublicKey, verify } from 'node:crypto';

const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** DER of a SubjectPublicKeyInfo for ed25519 (RFC 8410), up to the key's bytes. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** Whether it is the ed25519 signature of the message by that key. False, too, for a key or signature of wrong length. */
export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return verify(null, message, key, signature);
}
