import type { PublicKey } from '../chain/types.js';

const texts = /* @__PURE__ */ new WeakMap<PublicKey, string>();

/** A key in base58. web3.js computes the text on each call, which costs more than decoding a record. */
export function addressText(key: PublicKey): string {
  let text = texts.get(key);
  if (text === undefined) {
    text = key.toBase58();
    texts.set(key, text);
  }
  return text;
}
