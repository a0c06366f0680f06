import { Cache } from '../base/cached-value.js';
import type { Database } from '../db/database.js';
import { decodeBase58 } from '../base/base58.js';
import { newestToken, type Token } from '../market/reads/token.js';

/** How long a token is cached. Pages have no rate limit, so not every page may query the database. */
const KEPT_MS = 2_000;
const MOST_KEPT = 1_000;
const ADDRESS_BYTES = 32;

/** Finds a token; undefined when it does not exist. */
export function cachedTokens(database: Database): (mint: string) => Promise<Token | undefined> {
  const kept = new Cache<Token | undefined>(KEPT_MS, MOST_KEPT);
  return (mint) => {
    // Nothing else can be a token. PostgreSQL refuses some texts with an error.
    if (decodeBase58(mint, ADDRESS_BYTES) === undefined) return Promise.resolve(undefined);
    return kept.get(mint, () => newestToken(database, mint));
  };
}
