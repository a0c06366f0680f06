import type { PublicKey } from '@solana/web3.js';
import { encodeBase58 } from '../../base/base58.js';
import { BoundedMap } from '../../base/bounded-map.js';

/** Programs, authorities, busy tokens and their traders are in most transactions, and base58 is slow. */
const MOST_KEYS = 20_000;
const byBytes = new BoundedMap<string, string>(MOST_KEYS);
/** The text of a key on the key itself: a weak map of so many takes a tenth of the indexer's time. */
const TEXT = Symbol('text');

/** A key in base58, cached: storing a record needs each key several times. */
export function textOf(key: PublicKey & { [TEXT]?: string }): string {
  return (key[TEXT] ??= textOfBytes(key.toBytes()));
}

/** The same of 32 bytes. */
export function textOfBytes(bytes: Uint8Array): string {
  const name = latin1(bytes);
  let text = byBytes.get(name);
  if (text === undefined) {
    text = encodeBase58(bytes);
    byBytes.set(name, text);
  }
  return text;
}

/** Bytes as the key of a map. */
export const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
