import { createPrivateKey, sign, type JsonWebKey } from 'node:crypto';

/** Node's own signature of a message. @param secretKey the private key and the public key, 32 bytes each */
export function ed25519Signature(secretKey: Uint8Array, message: Uint8Array): number[] {
  const [d, x] = [secretKey.subarray(0, 32), secretKey.subarray(32)].map((part) =>
    Buffer.from(part).toString('base64url'),
  );
  const key: JsonWebKey = { kty: 'OKP', crv: 'Ed25519', d: d!, x: x! };
  return Array.from(sign(null, message, createPrivateKey({ key, format: 'jwk' })));
}
