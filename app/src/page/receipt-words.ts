// A trade in shared links: its title, its description and what its picture says.
import { LAMPORTS_PER_SOL } from '@solana/web3.js';
import { Cache } from '../base/cached-value.js';
import { decodeBase58, SIGNATURE_BYTES } from '../base/base58.js';
import type { Database } from '../db/database.js';
import { newestReceipt, type ReceiptItem } from '../market/reads/receipt.js';
import { type Token, newestToken } from '../market/reads/token.js';
import { plainWords } from './head.js';
import { PAGE_WORDS, type PageWords } from './languages.js';

/** The first trade of a transaction, and its token. */
export interface SharedReceipt extends ReceiptItem {
  readonly token: Token;
}

const TOKEN_UNIT = 1_000_000;

const short = (value: number): string =>
  value.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 4 });

/** "Bought 12.7M" and "for 0.3 SOL" */
export function partsOfTrade(
  { trade: { isBuy, solAmount, tokenAmount } }: SharedReceipt,
  { sharedWords: { bought, sold, price } }: PageWords = PAGE_WORDS.en,
) {
  return {
    what: (isBuy ? bought : sold)(short(Number(tokenAmount) / TOKEN_UNIT)),
    price: price(short(Number(solAmount) / LAMPORTS_PER_SOL)),
  };
}

/** Its title and its description. */
export function wordsOfTrade(receipt: SharedReceipt, words: PageWords): readonly [string, string] {
  const { what, price } = partsOfTrade(receipt, words);
  const { trade, place, of, token } = receipt;
  return [
    `${what} ${plainWords(token.symbol)} ${price}`,
    words.sharedWords.receipt(plainWords(token.name), String(place), String(of), String(trade.slot)),
  ];
}

/** Pages have no rate limit, so not every page may query the database. */
const KEPT_MS = 2_000;
const MOST_KEPT = 1_000;

/** Finds a receipt; undefined when the index knows no trade of the transaction. */
export function cachedReceipts(
  database: Database,
): (signature: string) => Promise<SharedReceipt | undefined> {
  const kept = new Cache<SharedReceipt | undefined>(KEPT_MS, MOST_KEPT);
  const read = async (signature: string) => {
    const [item] = (await newestReceipt(database, signature))?.items ?? [];
    const token = item && (await newestToken(database, item.trade.mint));
    return token && { ...item, token };
  };
  return (signature) =>
    // PostgreSQL refuses some other texts with an error.
    decodeBase58(signature, SIGNATURE_BYTES) === undefined
      ? Promise.resolve(undefined)
      : kept.get(signature, () => read(signature));
}
