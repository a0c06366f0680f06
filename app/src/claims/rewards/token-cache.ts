// Caches names, pictures and prices of tokens for a moment. Many wallets have rewards of the same tokens, and joining
// the tokens to every wallet's rows takes PostgreSQL longer than reading the rows.
import { BoundedMap } from '../../base/bounded-map.js';
import type { RewardQueries, TokenRow } from './reward-queries.js';

/** Maximum age of a token's data. No payment depends on it. */
const MOST_AGE_MS = 1_000;
const MOST_TOKENS = 10_000;

interface Kept {
  readonly token: TokenRow;
  readonly readAt: number;
}

/** Tokens with data that is at most a second old. */
export class TokenCache {
  /** In the order of their reads, newest last. */
  readonly #kept = new BoundedMap<string, Kept>(MOST_TOKENS);

  constructor(
    private readonly queries: Pick<RewardQueries, 'tokens'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The tokens by address. A token that is not indexed has no name. */
  async read(mints: Iterable<string>): Promise<ReadonlyMap<string, TokenRow>> {
    const found = new Map<string, TokenRow>();
    const missing = new Set<string>();
    const oldest = this.now() - MOST_AGE_MS;
    for (const mint of mints) {
      const kept = this.#kept.get(mint);
      if (kept !== undefined && kept.readAt > oldest) found.set(mint, kept.token);
      else missing.add(mint);
    }
    if (missing.size === 0) return found;
    const readAt = this.now();
    for (const token of await this.queries.tokens([...missing])) {
      found.set(token.mint, token);
      if (token.name !== null) this.#kept.set(token.mint, { token, readAt });
    }
    return found;
  }
}
