// Base58, several digits at a time. Every request has an address and a signature, and decoding digit by digit would take as long
// as all routing of the request; so would encoding those of a busy feed.

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE = 58;
const DIGITS_AT_ONCE = 4;
/** Product and carry of a step stay below 2^53: 28 bits, and 58^4 < 2^24. */
const LIMB_BITS = 28;
const LIMB = 2 ** LIMB_BITS;
/** A power of two, so multiplying by it is exact, and faster than dividing. */
const PER_LIMB = 1 / LIMB;
const PER_BYTE = 1 / 256;
const NOT_A_DIGIT = 255;

const CODES = Buffer.from(ALPHABET);
const ZERO = CODES[0]!;
const VALUES = new Uint8Array(128).fill(NOT_A_DIGIT);
for (const [value, digit] of [...ALPHABET].entries()) VALUES[digit.charCodeAt(0)] = value;

/** The bytes of base58 text; undefined when it is not base58, or has another length. */
export function decodeBase58(text: string, length: number): Uint8Array | undefined {
  let zeros = 0;
  while (zeros < text.length && text.charCodeAt(zeros) === 49) zeros += 1;
  // Limbs of the number, lowest first.
  const limbs = new Float64Array(Math.ceil((length * 8) / LIMB_BITS) + 1);
  let used = 0;
  for (let at = zeros; at < text.length;) {
    let [digits, scale] = [0, 1];
    for (let taken = 0; taken < DIGITS_AT_ONCE && at < text.length; taken += 1, at += 1) {
      const code = text.charCodeAt(at);
      const value = code < VALUES.length ? VALUES[code]! : NOT_A_DIGIT;
      if (value === NOT_A_DIGIT) return undefined;
      digits = digits * BASE + value;
      scale *= BASE;
    }
    let carry = digits;
    for (let index = 0; index < used; index += 1) {
      const product = limbs[index]! * scale + carry;
      carry = Math.floor(product * PER_LIMB);
      limbs[index] = product - carry * LIMB;
    }
    if (carry > 0) {
      if (used === limbs.length) return undefined;
      limbs[used] = carry;
      used += 1;
    }
  }
  return toBytes(limbs, length, zeros);
}

/** Each leading `1` of the text must be a leading zero byte, and there must be no other leading zero bytes. */
function toBytes(limbs: Float64Array, length: number, zeros: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  let [buffer, bits, limb] = [0, 0, 0];
  for (let at = length - 1; at >= 0; at -= 1) {
    if (bits < 8) {
      buffer += (limbs[limb] ?? 0) * 2 ** bits;
      bits += LIMB_BITS;
      limb += 1;
    }
    const rest = Math.floor(buffer * PER_BYTE);
    bytes[at] = buffer - rest * 256;
    buffer = rest;
    bits -= 8;
  }
  if (buffer > 0) return undefined;
  for (; limb < limbs.length; limb += 1) if (limbs[limb]! > 0) return undefined;
  let first = 0;
  while (first < length && bytes[first] === 0) first += 1;
  return first === zeros ? bytes : undefined;
}

/** The number is divided by 58^4, in words of 24 bits: a remainder and a word stay below 2^53. */
const WORD_BYTES = 3;
const WORD = 2 ** (8 * WORD_BYTES);
const DIVISOR = BASE ** DIGITS_AT_ONCE;

/** Base58 of bytes. */
export function encodeBase58(bytes: Uint8Array): string {
  const words = new Float64Array(Math.ceil(bytes.length / WORD_BYTES));
  for (let at = bytes.length, word = words.length - 1; at > 0; at -= WORD_BYTES, word -= 1)
    words[word] = (bytes[at - 1] ?? 0) + 256 * (bytes[at - 2] ?? 0) + 65_536 * (bytes[at - 3] ?? 0);
  // Longer than any text: a digit has 5.8 bits.
  const digits = Buffer.allocUnsafe(Math.ceil(bytes.length * 1.4) + DIGITS_AT_ONCE);
  let start = digits.length;
  for (let first = 0; first < words.length;) {
    let rest = 0;
    for (let index = first; index < words.length; index += 1) {
      const value = rest * WORD + words[index]!;
      const quotient = Math.floor(value / DIVISOR);
      words[index] = quotient;
      rest = value - quotient * DIVISOR;
    }
    while (first < words.length && words[first] === 0) first += 1;
    for (let digit = 0; digit < DIGITS_AT_ONCE; digit += 1) {
      const next = Math.floor(rest / BASE);
      digits[(start -= 1)] = CODES[rest - next * BASE]!;
      rest = next;
    }
  }
  while (start < digits.length && digits[start] === ZERO) start += 1;
  for (let at = 0; at < bytes.length && bytes[at] === 0; at += 1) digits[(start -= 1)] = ZERO;
  return digits.toString('latin1', start);
}
