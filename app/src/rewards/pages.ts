// Pages of a wallet's rewards, as clients ask for them.
import { base58Bytes } from '../http/schemas.js';

/** Most tokens on one page, and the default. */
export const LARGEST_PAGE = 1_000;

const ADDRESS_BYTES = 32;

/** Start and length of a page. */
export interface PageRequest {
  /** The page holds tokens after this address; undefined for the first page. */
  readonly after?: string | undefined;
  /** Tokens, 1 to `LARGEST_PAGE`. */
  readonly limit: number;
}

export interface Page<Entry> {
  /** By token address. */
  readonly entries: readonly Entry[];
  /** The last token's address, if more tokens follow. */
  readonly next: string | undefined;
}

/** An opaque cursor for a URL: the end of a page. */
export function encodeCursor(mint: string): string {
  return Buffer.from(mint, 'latin1').toString('base64url');
}

/** The token address of a cursor; undefined when the text is not a cursor. */
export function decodeCursor(cursor: string): string | undefined {
  const mint = Buffer.from(cursor, 'base64url').toString('latin1');
  const isAddress = base58Bytes(mint, ADDRESS_BYTES) !== undefined;
  return isAddress && encodeCursor(mint) === cursor ? mint : undefined;
}
