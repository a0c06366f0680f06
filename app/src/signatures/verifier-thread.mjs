// The thread of `verifier.ts`, in plain JavaScript so that it starts without a compiler. Receives signatures packed into
// one buffer, and answers with one byte per signature: 1 when it is valid.
import { Buffer } from 'node:buffer';
import { createPublicKey, verify } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** Maximum of cached keys, about a kilobyte each. */
const MOST_KEYS = 32_768;

/**
 * Imported keys, the most recently used last. Importing takes a sixth of a verification, and the same wallets return. Only
 * keys with a valid signature are cached, so that nobody can evict keys without signing.
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
