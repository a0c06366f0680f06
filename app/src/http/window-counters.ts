// Counts requests in memory.
import type { Count, LimitCounters } from './rate-limit-store.js';

/** Limits the memory of one limiter to about 20 MB, also if every request comes from another network. */
export const MOST_COUNTERS = 100_000;

/** At the limit, the oldest counter is dropped, which is also the next one to end. */
export class WindowCounters implements LimitCounters {
  /** In the order of the windows' ends. */
  readonly #counts = new Map<string, { requests: number; readonly resetAt: number }>();
  readonly #windowMs: number;

  constructor(
    windowSeconds: number,
    private readonly most = MOST_COUNTERS,
  ) {
    this.#windowMs = windowSeconds * 1_000;
  }

  get size(): number {
    return this.#counts.size;
  }

  add(key: string): Count {
    const found = this.#current(key);
    if (found !== undefined) {
      found.requests += 1;
      // A copy, because the caller may read it after the next request is counted.
      return { ...found };
    }
    this.#counts.delete(key);
    this.#dropOld();
    const count = { requests: 1, resetAt: Date.now() + this.#windowMs };
    this.#counts.set(key, count);
    return { ...count };
  }

  look(key: string): Count | undefined {
    const found = this.#current(key);
    return found && { ...found };
  }

  #current(key: string) {
    const found = this.#counts.get(key);
    return found !== undefined && found.resetAt > Date.now() ? found : undefined;
  }

  #dropOld(): void {
    const now = Date.now();
    for (const [key, { resetAt }] of this.#counts) {
      if (resetAt > now && this.#counts.size < this.most) break;
      this.#counts.delete(key);
    }
  }
}
