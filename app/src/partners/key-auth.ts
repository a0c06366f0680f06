// Authenticates a request by the API key in its header.
import { timingSafeEqual } from 'node:crypto';
import { BoundedMap } from '../base/bounded-map.js';
import type { Database } from '../db/database.js';
import { hashSecret, parseApiKey, presumedId, secretMatches } from './api-key.js';
import { PartnerError } from './errors.js';
import { findKey, markUsed, type Partner, type StoredKey } from './key-repository.js';
import { keyState } from './keys.js';
import type { Scope } from './scopes.js';

/** The partner behind a request. */
export interface AuthenticatedKey {
  readonly keyId: string;
  readonly partner: Partner;
  readonly scopes: readonly Scope[];
}

export interface KeyAuthOptions {
  readonly database: Database;
  /** Milliseconds of the service's clock. */
  readonly now: () => number;
  /** How long a key is cached, and so the longest time until a revocation takes effect. 1,000 ms by default. */
  readonly freshMs?: number;
}

/** One message for every invalid key, so that an attacker learns nothing from it. */
export const UNAUTHORIZED_MESSAGE = 'The header x-api-key must carry a valid API key';

const DEFAULT_FRESH_MS = 1_000;
/** Maximum keys that are cached. */
const MOST_KEYS = 10_000;
/** How often the last use of a key is stored. */
const LAST_USE_STEP_MS = 60_000;
/** The hash to compare with for an unknown key, so that it takes the same time as a known key. */
const NO_HASH = hashSecret('00'.repeat(32));

/** A cached key, which may still be loading. */
interface Reading {
  readonly key: Promise<StoredKey | undefined>;
  readonly until: number;
  /**
   * The text that was verified as this key. A comparison with it saves parsing and hashing. Dropped with the cache entry.
   */
  proved?: { readonly text: Buffer; readonly key: StoredKey };
}

export class KeyAuth {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #freshMs: number;
  readonly #readings = new BoundedMap<string, Reading>(MOST_KEYS);
  /** When the use of each key was last stored. */
  readonly #noted = new BoundedMap<string, number>(MOST_KEYS);

  constructor({ database, now, freshMs = DEFAULT_FRESH_MS }: KeyAuthOptions) {
    this.#database = database;
    this.#now = now;
    this.#freshMs = freshMs;
  }

  /**
   * Verifies the key.
   *
   * @throws PartnerError `unauthorized` when it is missing, malformed, unknown, expired or revoked
   */
  async authenticate(header: string | undefined): Promise<AuthenticatedKey> {
    if (header === undefined) throw unauthorized();
    const key = this.#provedKey(header) ?? (await this.#prove(header));
    const now = this.#now();
    if (key === undefined || keyState(key, new Date(now)) !== 'active') throw unauthorized();
    if (now - (this.#noted.get(key.id) ?? -Infinity) >= LAST_USE_STEP_MS) await this.#noteUse(key.id, now);
    return { keyId: key.id, partner: key.partner, scopes: key.scopes };
  }

  /** The key, if the same text was verified a moment ago. */
  #provedKey(text: string): StoredKey | undefined {
    const reading = this.#fresh(presumedId(text));
    if (reading?.proved === undefined) return undefined;
    const { text: known, key } = reading.proved;
    const given = Buffer.from(text, 'latin1');
    return given.length === known.length && timingSafeEqual(given, known) ? key : undefined;
  }

  async #prove(text: string): Promise<StoredKey | undefined> {
    const parts = parseApiKey(text);
    if (parts === undefined) return undefined;
    const reading = this.#read(parts.id);
    const key = await reading.key;
    if (!secretMatches(parts.secret, key?.secretHash ?? NO_HASH) || key === undefined) return undefined;
    reading.proved = { text: Buffer.from(text, 'latin1'), key };
    return key;
  }

  #fresh(id: string): Reading | undefined {
    const kept = this.#readings.get(id);
    return kept !== undefined && this.#now() < kept.until ? kept : undefined;
  }

  /** Concurrent requests share one query. Only existing keys are cached, so that invented ids use no memory. */
  #read(id: string): Reading {
    const kept = this.#fresh(id);
    if (kept !== undefined) return kept;
    const until = this.#now() + this.#freshMs;
    const reading: Reading = { key: findKey(this.#database.queries, id), until };
    const forget = () => {
      if (this.#readings.get(id) === reading) this.#readings.delete(id);
    };
    this.#readings.set(id, reading);
    reading.key.then((key) => {
      if (key === undefined) forget();
    }, forget);
    return reading;
  }

  async #noteUse(id: string, now: number): Promise<void> {
    this.#noted.set(id, now);
    await markUsed(this.#database.queries, id, new Date(now), new Date(now - LAST_USE_STEP_MS));
  }
}

/** @throws PartnerError `scope` when the key lacks the scope */
export function requireScope({ keyId, scopes }: AuthenticatedKey, scope: Scope): void {
  if (!scopes.includes(scope))
    throw new PartnerError('scope', `The API key ${keyId} does not have the scope ${scope}`);
}

function unauthorized(): PartnerError {
  return new PartnerError('unauthorized', UNAUTHORIZED_MESSAGE);
}
