// Checks of texts. They need no Solana library.
import { InvalidArgumentError } from '../errors/index.js';
import { encodeUtf8 } from '../platform/utf8.js';
import { notA } from './numbers.js';

const LONE_SURROGATE = /\p{Surrogate}/u;

/** UTF-8 bytes of a string. @throws InvalidArgumentError for other values, and for half of a surrogate pair. */
export function encodeText(argument: string, value: string): Uint8Array {
  if (typeof value !== 'string') throw notA(argument, 'a string', value);
  // TextEncoder would silently write U+FFFD instead.
  if (LONE_SURROGATE.test(value)) {
    throw new InvalidArgumentError(argument, 'holds half of a surrogate pair, which UTF-8 cannot express');
  }
  return encodeUtf8(value);
}

/** @throws InvalidArgumentError unless `value` is a string of well-formed Unicode, 1 to `maxBytes` bytes long in UTF-8. */
export function requireText(argument: string, value: string, maxBytes: number): string {
  const { length } = encodeText(argument, value);
  if (length === 0) throw new InvalidArgumentError(argument, 'is empty; it needs at least 1 byte');
  if (length > maxBytes) {
    throw new InvalidArgumentError(argument, `is ${length} bytes long in UTF-8; at most ${maxBytes} fit`);
  }
  return value;
}
