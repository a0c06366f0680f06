// Rate limits of API keys. Only a request with the key's secret is counted by key. The id alone is public, so a request
// with only the id is counted by address.
import type { Database } from '../db/database.js';
import type { OwnLimit } from '../http/rate-limit.js';
import { parseApiKey, secretMatches } from './api-key.js';
import { keysWithLimit, type StoredKey } from './key-repository.js';
import { keyState } from './keys.js';

/** How long the keys are cached. One query reads all of them, so that invented keys cost no query. */
const FRESH_MS = 1_000;

export class KeyLimits {
  #keys: ReadonlyMap<string, StoredKey> = new Map();
  #until = -Infinity;
  #reading: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    /** Milliseconds of the service's clock. */
    private readonly now: () => number,
  ) {}

  /** The rate limit of the key in a header; undefined unless it is a valid key that has its own limit. */
  limitOf(header: string | undefined): OwnLimit | undefined | Promise<OwnLimit | undefined> {
    if (header === undefined) return undefined;
    if (this.now() < this.#until) return this.#cachedLimitOf(header);
    return (this.#reading ??= this.#read()).then(() => this.#cachedLimitOf(header));
  }

  #cachedLimitOf(header: string): OwnLimit | undefined {
    const parts = this.#keys.size === 0 ? undefined : parseApiKey(header);
    if (parts === undefined) return undefined;
    const key = this.#keys.get(parts.id);
    if (key === undefined || key.requestLimit === null) return undefined;
    const isGood =
      secretMatches(parts.secret, key.secretHash) && keyState(key, new Date(this.now())) === 'active';
    return isGood ? { name: `key:${key.id}`, requests: key.requestLimit } : undefined;
  }

  /** While the database is unavailable, the cached limits stay in force. */
  async #read(): Promise<void> {
    try {
      const keys = await keysWithLimit(this.database.queries);
      this.#keys = new Map(keys.map((key) => [key.id, key]));
    } catch {
      // Not logged: authenticating the request fails and logs the outage.
    } finally {
      this.#until = this.now() + FRESH_MS;
      this.#reading = undefined;
    }
  }
}
