import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { ADDRESS_BYTES, SIGNATURE_BYTES } from '../base/base58.js';

/** Whether the signature is valid. False also for a key or signature of the wrong length, and for a key off the curve. */
export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== ADDRESS_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  // As a JSON Web Key (RFC 8037), because reading DER takes almost as long as the verification.
  const x = Buffer.from(publicKey).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, message, key, signature);
}

/** y coordinates of all points of small order, the last two not reduced. Anyone can forge signatures for them as keys. */
const SMALL_ORDER = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]);

/** Bytes 1 and 2 of each, as a number. Keys of wallets differ here, and need no further comparison. */
const BEGINNINGS = new Set([...SMALL_ORDER].map((hex) => Number.parseInt(hex.slice(2, 6), 16)));

/** Whether the key is a point of small order, for which signatures prove nothing. */
export function isSmallOrder(publicKey: Uint8Array): boolean {
  if (!BEGINNINGS.has((publicKey[1]! << 8) | publicKey[2]!)) return false;
  const y = Buffer.from(publicKey);
  // Clears the sign bit of x.
  y[y.length - 1]! &= 0x7f;
  return SMALL_ORDER.has(y.toString('hex'));
}

/** DER of an ed25519 private key in PKCS #8 (RFC 8410), up to the seed. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

const privateKeys = new WeakMap<Signer, KeyObject>();

/** An object with a secret key, such as a `Keypair`. */
interface Signer {
  /** 64 bytes as Solana stores it: the seed, then the public key. */
  readonly secretKey: Uint8Array;
}

/**
 * The ed25519 signature of a message. A signer's key is imported only once, because importing takes ten times as long as
 * signing.
 */
export function signatureBy(signer: Signer, message: Uint8Array): Uint8Array {
  const key = privateKeys.get(signer) ?? privateKey(signer.secretKey);
  privateKeys.set(signer, key);
  return sign(null, message, key);
}

function privateKey(secretKey: Uint8Array): KeyObject {
  const seed = secretKey.subarray(0, SEED_BYTES);
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** The 32 bytes of an ed25519 key in a SubjectPublicKeyInfo, as DER or PEM; undefined for a key of another kind. */
export function keyInSpki(spki: Buffer | string): Uint8Array | undefined {
  const key = createPublicKey(typeof spki === 'string' ? spki : { key: spki, format: 'der', type: 'spki' });
  if (key.asymmetricKeyType !== 'ed25519') return undefined;
  return Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url');
}
