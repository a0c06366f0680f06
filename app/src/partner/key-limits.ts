// Limits that the operator gave to keys. A request has its key's limit only with the key's secret: an id alone, which is
// public, neither uses up the partner's counter nor escapes that of the sender's address.
import type { Database } from '../db/database.js';
import type { OwnLimit } from '../http/rate-limit.js';
import { parseApiKey, secretMatches } from './api-key.js';
import { keysWithLimit, type StoredKey } from './key-repository.js';
import { keyState } from './keys.js';

/** How long the table of keys is believed. One query reads them all, so what strangers send costs the database nothing. */
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

  /** The limit of the key in a header, if it is the whole key and has one. */
  async limitOf(header: string | undefined): Promise<OwnLimit | undefined> {
    if (header === undefined) return undefined;
    if (this.now() >= this.#until) await (this.#reading ??= this.#read());
    const parts = this.#keys.size === 0 ? undefined : parseApiKey(header);
    if (parts === undefined) return undefined;
    const key = this.#keys.get(parts.id);
    if (key === undefined || key.requestLimit === null) return undefined;
    const isGood =
      secretMatches(parts.secret, key.secretHash) && keyState(key, new Date(this.now())) === 'active';
    return isGood ? { name: `key:${key.id}`, requests: key.requestLimit } : undefined;
  }

  /** While the database is away the last table counts: limits go on, and authentication refuses for itself. */
  async #read(): Promise<void> {
    try {
      const keys = await keysWithLimit(this.database.queries);
      this.#keys = new Map(keys.map((key) => [key.id, key]));
    } catch {
      // Said by the request itself, which cannot be authenticated.
    } finally {
      this.#until = this.now() + FRESH_MS;
      this.#reading = undefined;
    }
  }
}
