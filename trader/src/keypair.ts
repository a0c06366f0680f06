// Reads the bytes of a secret key.
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 64 bytes in base58, as Phantom exports a key. */
const KEY = /^[1-9A-HJ-NP-Za-km-z]{86,88}$/;

/** The 64 bytes of a key in base58; undefined for other text. */
export function base58Key(text: string): number[] | undefined {
  if (!KEY.test(text)) return undefined;
  let number = 0n;
  for (const digit of text) number = number * 58n + BigInt(ALPHABET.indexOf(digit));
  const hex = number.toString(16).padStart(128, '0');
  if (hex.length > 128) return undefined;
  return Array.from({ length: 64 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16));
}
