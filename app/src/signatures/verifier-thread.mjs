// The thread of `verifier.ts`, in plain JavaScript so that it starts without a compiler. Takes signatures packed into one
// buffer, and answers with a byte for each: 1 when it is good.
import { Buffer } from 'node:buffer';
import { createPublicKey, verify } from 'node:crypto';
import { parentPort } from 'node:worker_threads';

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

parentPort.on('message', ({ id, packed, lengths }) => {
  const results = new Uint8Array(lengths.length);
  let at = 0;
  const take = (length) => packed.subarray(at, (at += length));
  for (const [index, length] of lengths.entries()) {
    const x = Buffer.from(take(KEY_BYTES)).toString('base64url');
    const signature = take(SIGNATURE_BYTES);
    const message = take(length);
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    results[index] = verify(null, message, key, signature) ? 1 : 0;
  }
  parentPort.postMessage({ id, results });
});
