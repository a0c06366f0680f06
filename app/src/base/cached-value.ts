import { BoundedMap } from './bounded-map.js';

interface Read<Value> {
  readonly value: Promise<Value>;
  /** A time of `performance.now()`. */
  readonly at: number;
  isOver: boolean;
}

/** Values by key that are read again when they are older than a limit. Concurrent callers share one read; a failure is not kept. */
export class Cache<Value> {
  readonly #reads: BoundedMap<string, Read<Value>>;

  /**
   * @param most maximum number of values
   * @param sharedMs how long a read that goes on is shared
   */
  constructor(
    private readonly maxAgeMs: number,
    most: number,
    private readonly sharedMs = Infinity,
  ) {
    this.#reads = new BoundedMap(most);
  }

  /** @param since a time of `performance.now()`: a value that was asked for before it is not reused */
  get(key: string, read: () => Promise<Value>, since = -Infinity): Promise<Value> {
    const now = performance.now();
    const known = this.#reads.get(key);
    if (known !== undefined && known.at >= since) {
      const age = now - known.at;
      if (age < this.maxAgeMs || (!known.isOver && age < this.sharedMs)) return known.value;
    }
    const made: Read<Value> = { value: read(), at: now, isOver: false };
    this.#reads.set(key, made);
    made.value.then(
      () => (made.isOver = true),
      () => this.#reads.get(key) === made && this.#reads.delete(key),
    );
    return made.value;
  }
}

/** A value that is read again when it is older than a limit. */
export class CachedValue<Value> {
  readonly #cache: Cache<Value>;

  constructor(
    maxAgeMs: number,
    private readonly read: () => Promise<Value>,
  ) {
    this.#cache = new Cache(maxAgeMs, 1);
  }

  get(): Promise<Value> {
    return this.#cache.get('', this.read);
  }
}
