import bs58 from 'bs58';

export const ADDRESS_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** The bytes of base58 text; undefined when it is not base58, or has another length. */
export function decodeBase58(text: string, length: number): Uint8Array | undefined {
  // n bytes take at most ⌈n · log(256)/log(58)⌉ digits, and n when all are zero. Decoding longer text would take quadratic time.
  if (text.length < length || text.length > Math.ceil(length * 1.3658)) return undefined;
  const bytes = bs58.decodeUnsafe(text);
  return bytes?.length === length ? bytes : undefined;
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** 58⁵: five digits, of which a number holds one and two more bytes exactly. */
const LIMB = 58 ** 5;
const PAIRS = Array.from({ length: 58 ** 2 }, (_, n) => ALPHABET[Math.floor(n / 58)]! + ALPHABET[n % 58]!);

/**
 * Bytes of an even length in base58. The indexer encodes several keys and a signature for each trade, and the library's way, byte by
 * byte and digit by digit, takes three times as long.
 */
export function encodeBase58(bytes: Uint8Array): string {
  const limbs: number[] = [];
  for (let at = 0; at < bytes.length; at += 2) {
    let carry = bytes[at]! * 256 + bytes[at + 1]!;
    for (let place = 0; place < limbs.length; place += 1) {
      const value = limbs[place]! * 65_536 + carry;
      carry = Math.floor(value / LIMB);
      limbs[place] = value - carry * LIMB;
    }
    if (carry > 0) limbs.push(carry);
  }
  let digits = '';
  for (const limb of limbs) {
    const first = Math.floor(limb / 58 ** 3);
    const rest = limb - first * 58 ** 3;
    const second = Math.floor(rest / 58);
    digits = PAIRS[first]! + PAIRS[second]! + ALPHABET[rest - second * 58]! + digits;
  }
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + digits.replace(/^1+/, '');
}
