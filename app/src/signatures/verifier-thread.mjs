// The thread of `verifier.ts`, in plain JavaScript so that it starts without a compiler. Receives signatures packed into
// one buffer, and answers with one byte per signature: 1 when it is valid.
import { parentPort } from 'node:worker_threads';
import { PUBLIC_KEY_BYTES, SIGNATURE_BYTES, verifySignature } from './verify.mjs';

parentPort.on('message', ({ id, packed, lengths }) => {
  const results = new Uint8Array(lengths.length);
  let at = 0;
  const take = (length) => packed.subarray(at, (at += length));
  for (const [index, length] of lengths.entries()) {
    const publicKey = take(PUBLIC_KEY_BYTES);
    const signature = take(SIGNATURE_BYTES);
    results[index] = verifySignature(publicKey, take(length), signature) ? 1 : 0;
  }
  parentPort.postMessage({ id, results });
});
