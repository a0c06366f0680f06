// Title and description of a token in shared links.
import { LAMPORTS_PER_SOL } from '@solana/web3.js';
import { plainWords } from './head.js';
import { PAGE_WORDS, type PageWords } from './languages.js';
import { type Token, newestToken } from '../market/reads/token.js';
import { Cache } from '../base/cached-value.js';
import type { Database } from '../db/database.js';
import { ADDRESS_BYTES, decodeBase58 } from '../base/base58.js';

export function wordsOf(token: Token, { sharedWords }: PageWords = PAGE_WORDS.en) {
  return {
    title: `${plainWords(token.name)} (${plainWords(token.symbol)})`,
    description: sharedWords.token(capOf(token), placeOf(token, sharedWords)),
  };
}

/** Formats lamports as SOL, shortened. */
export function capOf({ marketCap }: Token): string {
  return (Number(marketCap) / LAMPORTS_PER_SOL).toLocaleString('en', { maximumFractionDigits: 2 });
}

export function placeOf(
  { status, venue, progressBps }: Token,
  { onItsWay, inPool, graduated }: PageWords['sharedWords'] = PAGE_WORDS.en.sharedWords,
): string {
  if (status === 'trading') return onItsWay(`${(progressBps / 100).toFixed(1)} %`);
  return venue === 'pool' ? inPool : graduated;
}

/** How long a token is cached. Pages have no rate limit, so not every page may query the database. */
const KEPT_MS = 2_000;
const MOST_KEPT = 1_000;

/** Finds a token; undefined when it does not exist. */
export function cachedTokens(database: Database): (mint: string) => Promise<Token | undefined> {
  const kept = new Cache<Token | undefined>(KEPT_MS, MOST_KEPT);
  return (mint) => {
    // Nothing else can be a token. PostgreSQL refuses some texts with an error.
    if (decodeBase58(mint, ADDRESS_BYTES) === undefined) return Promise.resolve(undefined);
    return kept.get(mint, () => newestToken(database, mint));
  };
}
