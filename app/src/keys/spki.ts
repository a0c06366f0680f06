import { createPublicKey } from 'node:crypto';

/** The 32 bytes of an ed25519 key in a SubjectPublicKeyInfo, as DER or PEM; undefined for a key of another kind. */
export function keyInSpki(spki: Buffer | string): Uint8Array | undefined {
  const key = createPublicKey(typeof spki === 'string' ? spki : { key: spki, format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ed25519') return undefined;
  return Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url');
}
