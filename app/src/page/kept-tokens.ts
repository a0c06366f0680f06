import { BoundedMap } from '../base/bounded-map.js';
import type { Database } from '../db/database.js';
import { decodeBase58 } from '../base/base58.js';
import { newestToken, type Token } from '../market/reads/token.js';

/** How long a token is cached. Pages have no rate limit, so not every page may query the database. */
const KEPT_MS = 2_000;
const MOST_KEPT = 1_000;
const ADDRESS_BYTES = 32;

interface Kept {
  readonly until: number;
  readonly token: Promise<Token | undefined>;
}

/** Finds a token; undefined when it does not exist. */
export function cachedTokens(database: Database): (mint: string) => Promise<Token | undefined> {
  const kept = new BoundedMap<string, Kept>(MOST_KEPT);
  return (mint) => {
    // Nothing else can be a token. PostgreSQL refuses some texts with an error.
    if (decodeBase58(mint, ADDRESS_BYTES) === undefined) return Promise.resolve(undefined);
    const now = performance.now();
    const found = kept.get(mint);
    if (found !== undefined && found.until > now) return found.token;
    const token = newestToken(database, mint);
    kept.set(mint, { until: now + KEPT_MS, token });
    token.catch(() => kept.delete(mint));
    return token;
  };
}
