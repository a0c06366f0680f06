// Verifies ed25519 signatures: with libsodium, which takes half the time, or with Node's crypto where libsodium has no build for
// the machine. Plain JavaScript, because the threads of `verifier.ts` start with it.
import { Buffer } from 'node:buffer';
import { createPublicKey, verify } from 'node:crypto';
import { createRequire } from 'node:module';

export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

const sodium = loadSodium();
/** What verifies here. */
export const VERIFIED_BY = sodium === undefined ? 'Node' : 'libsodium';

/**
 * Whether the signature is valid. False also for a key or signature of the wrong length.
 *
 * libsodium also refuses what no wallet makes and only the key's owner could: keys and points not in their shortest form, and a point of
 * small order in the signature.
 */
export function verifySignature(publicKey, message, signature) {
  if (publicKey.length !== PUBLIC_KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  return sodium === undefined
    ? verifyWithNode(publicKey, message, signature)
    : sodium.crypto_sign_verify_detached(signature, message, publicKey);
}

/** The same with Node's crypto. The key is read as a JSON Web Key (RFC 8037): reading DER takes almost as long as the verification. */
export function verifyWithNode(publicKey, message, signature) {
  const x = Buffer.from(publicKey).toString('base64url');
  return verify(
    null,
    message,
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    signature,
  );
}

function loadSodium() {
  try {
    return createRequire(import.meta.url)('sodium-native');
  } catch {
    return undefined;
  }
}
