// Pages of a wallet's rewards.
import { decodeBase58 } from '../../base/base58.js';

/** Maximum tokens on one page, also the default. */
export const LARGEST_PAGE = 1_000;

const ADDRESS_BYTES = 32;

export interface PageRequest {
  /** The page starts after this token address; undefined for the first page. */
  readonly after?: string | undefined;
  /** Number of tokens, 1 to `LARGEST_PAGE`. */
  readonly limit: number;
}

export interface Page<Entry> {
  /** Ordered by token address. */
  readonly entries: Entry[];
  /** The last token's address, if more tokens follow. */
  readonly next: string | undefined;
}

/** Encodes the end of a page as an opaque cursor for a URL. */
export function encodeCursor(mint: string): string {
  return Buffer.from(mint, 'latin1').toString('base64url');
}

/** Decodes the token address in a cursor; undefined when the text is not a cursor. */
export function decodeCursor(cursor: string): string | undefined {
  const mint = Buffer.from(cursor, 'base64url').toString('latin1');
  const isAddress = decodeBase58(mint, ADDRESS_BYTES) !== undefined;
  return isAddress && encodeCursor(mint) === cursor ? mint : undefined;
}
