// Checks of texts. They need no Solana library.
import { InvalidArgumentError, notA } from '../errors/base.js';
import { encodeUtf8 } from '../platform/utf8.js';

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

/** Spaces, controls, combining marks, what is drawn as nothing, and the blank Braille pattern. */
const INVISIBLE = /[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Whether a text has a character that a reader sees. @throws InvalidArgumentError for other values than a string */
export function isVisible(text: string): boolean {
  if (typeof text !== 'string') throw notA('text', 'a string', text);
  return text.replace(INVISIBLE, '') !== '';
}

/** @throws InvalidArgumentError unless `value` is a text of 1 to `maxBytes` bytes that a reader sees. */
export function requireVisibleText(argument: string, value: string, maxBytes: number): string {
  requireText(argument, value, maxBytes);
  if (isVisible(value)) return value;
  const codes = [...value].map(
    (letter) => `U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  throw new InvalidArgumentError(argument, `has no visible letter (${codes.join(' ')}); add one`);
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
