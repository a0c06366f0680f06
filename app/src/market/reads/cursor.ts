// Opaque cursors of pages.
import { ADDRESS_BYTES, decodeBase58 } from '../../base/base58.js';
import { LARGEST_ID } from '../../db/statements.js';

/** Up to the digits of the largest sort value. */
const WHOLE_NUMBER = /^(0|[1-9]\d{0,38})$/;
const ID = /^[1-9]\d{0,18}$/;

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

export const ORDERS = ['newest', 'oldest'] as const;

/** The last trade of a page, and the page's order. */
export interface TradePosition {
  readonly order: (typeof ORDERS)[number];
  readonly id: string;
}

/** Marks cursors of pages with the oldest trades first. */
const OLDEST = '+';

export function encodeTradeCursor({ order, id }: TradePosition): string {
  return encode(order === 'oldest' ? OLDEST + id : id);
}

export function decodeTradeCursor(cursor: string): TradePosition | undefined {
  const text = decode(cursor) ?? '';
  const order = text.startsWith(OLDEST) ? 'oldest' : 'newest';
  const id = order === 'oldest' ? text.slice(OLDEST.length) : text;
  return ID.test(id) && BigInt(id) <= LARGEST_ID ? { order, id } : undefined;
}

function encode(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64url');
}

function decode(cursor: string): string | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  return encode(text) === cursor ? text : undefined;
}
