// Pages of a wallet's rewards, as clients ask for them.
import { base58Bytes } from '../http/schemas.js';

/** Tokens of one page at most, and when the client does not say. */
export const LARGEST_PAGE = 1_000;

const ADDRESS_BYTES = 32;

/** Where a page begins, and how long it is. */
export interface PageRequest {
  /** The page holds tokens after this address; the first ones without it. */
  readonly after?: string | undefined;
  /** Tokens, 1 to `LARGEST_PAGE`. */
  readonly limit: number;
}

export interface Page<Entry> {
  /** By token address. */
  readonly entries: readonly Entry[];
  /** The last token's address when others follow. */
  readonly next: string | undefined;
}

/** The end of a page as text for a URL; clients are not to look into it. */
export function encodeCursor(mint: string): string {
  return Buffer.from(mint, 'latin1').toString('base64url');
}

/** The token address of a cursor; undefined when the text is not one that was handed out. */
export function decodeCursor(cursor: string): string | undefined {
  const mint = Buffer.from(cursor, 'base64url').toString('latin1');
  const isAddress = base58Bytes(mint, ADDRESS_BYTES) !== undefined;
  return isAddress && encodeCursor(mint) === cursor ? mint : undefined;
}
