/**
 * The code of a worker thread, as text, because bundlers move files and a worker could not find its own. OpenSSL
 * generates the keys several times faster than JavaScript.
 */
export const VANITY_WORKER = `
const { generateKeyPairSync } = require('node:crypto');
const { parentPort, workerData: { prefix, suffix, reportMs } } = require('node:worker_threads');
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BATCH = 64;

function base58(bytes) {
  const digits = [];
  for (const byte of bytes) {
    let carry = byte;
    for (let i = 0; i < digits.length; i += 1) {
      carry += digits[i] << 8;
      digits[i] = carry % 58;
      carry = (carry / 58) | 0;
    }
    for (; carry > 0; carry = (carry / 58) | 0) digits.push(carry % 58);
  }
  let text = '';
  for (let i = 0; i < bytes.length && bytes[i] === 0; i += 1) text += '1';
  for (let i = digits.length - 1; i >= 0; i -= 1) text += ALPHABET[digits[i]];
  return text;
}

let tried = 0;
let reportAt = performance.now() + reportMs;
for (;;) {
  for (let i = 0; i < BATCH; i += 1) {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    // The key is the end of its DER form.
    const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    const address = base58(key);
    tried += 1;
    if (!address.startsWith(prefix) || !address.endsWith(suffix)) continue;
    const seed = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(-32);
    parentPort.postMessage({ tried, secretKey: Uint8Array.from([...seed, ...key]) });
    tried = 0;
  }
  if (performance.now() < reportAt) continue;
  parentPort.postMessage({ tried });
  tried = 0;
  reportAt = performance.now() + reportMs;
}
`;
