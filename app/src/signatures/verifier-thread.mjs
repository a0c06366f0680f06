// The thread of `verifier.ts`, in plain JavaScript so that it starts without a compiler. Takes signatures packed into one
// buffer, and answers with a byte for each: 1 when it is good.
import { Buffer } from 'node:buffer';
import { createPublicKey, verify } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** A kilobyte each. */
const MOST_KEYS = 32_768;

/**
 * Keys as OpenSSL wants them, those used last at the end: reading one takes a sixth of a verification, and wallets come back.
 * Only keys that have verified something are kept, so that nobody can push them out without signing.
 */
const keys = new Map();

parentPort.on('message', ({ id, packed, lengths }) => {
  const results = new Uint8Array(lengths.length);
  let at = 0;
  const take = (length) => packed.subarray(at, (at += length));
  for (const [index, length] of lengths.entries()) {
    const x = Buffer.from(take(KEY_BYTES)).toString('base64url');
    const signature = take(SIGNATURE_BYTES);
    const message = take(length);
    const key = keys.get(x) ?? createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    if (!verify(null, message, key, signature)) continue;
    results[index] = 1;
    keep(x, key);
  }
  parentPort.postMessage({ id, results });
});

function keep(x, key) {
  keys.delete(x);
  keys.set(x, key);
  if (keys.size > MOST_KEYS) keys.delete(keys.keys().next().value);
}
