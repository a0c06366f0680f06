// Opaque cursors of pages.
import { decodeBase58 } from '../../base/base58.js';

const ADDRESS_BYTES = 32;
/** Up to the digits of the largest sort value. */
const WHOLE_NUMBER = /^(0|[1-9]\d{0,38})$/;
const ID = /^[1-9]\d{0,18}$/;
const LARGEST_ID = 2n ** 63n - 1n;

/** The last token of a page: the sort order, the token's sort value, and the token. */
export interface TokenPosition {
  readonly sort: string;
  readonly value: string;
  readonly mint: string;
}

export function encodeTokenCursor({ sort, value, mint }: TokenPosition): string {
  return encode(`${sort}.${value}.${mint}`);
}

/** @returns undefined when the text is not a cursor of a page of tokens */
export function decodeTokenCursor(cursor: string): TokenPosition | undefined {
  const [sort = '', value = '', mint = '', ...rest] = decode(cursor)?.split('.') ?? [];
  const isPosition = rest.length === 0 && WHOLE_NUMBER.test(value);
  return isPosition && decodeBase58(mint, ADDRESS_BYTES) !== undefined ? { sort, value, mint } : undefined;
}

/** @param id of the last trade of a page */
export function encodeIdCursor(id: string): string {
  return encode(id);
}

export function decodeIdCursor(cursor: string): string | undefined {
  const id = decode(cursor) ?? '';
  return ID.test(id) && BigInt(id) <= LARGEST_ID ? id : undefined;
}

function encode(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64url');
}

function decode(cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  return encode(text) === cursor ? text : undefined;
}
