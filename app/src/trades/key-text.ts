import { encodeBase58 } from '../base58.js';
import type { PublicKey } from '@solana/web3.js';

const texts = new WeakMap<PublicKey, string>();

/** A key in base58, cached: storing a record needs each key several times, and encoding is slow. */
export function textOf(key: PublicKey): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  const text = encodeBase58(key.toBytes());
  texts.set(key, text);
  return text;
}
