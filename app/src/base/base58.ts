import bs58 from 'bs58';

/** The bytes of base58 text; undefined when it is not base58, or has another length. */
export function decodeBase58(text: string, length: number): Uint8Array | undefined {
  // n bytes take at most ⌈n · log(256)/log(58)⌉ digits, and n when all are zero. Decoding longer text would take quadratic time.
  if (text.length < length || text.length > Math.ceil(length * 1.3658)) return undefined;
  const bytes = bs58.decodeUnsafe(text);
  return bytes?.length === length ? bytes : undefined;
}
