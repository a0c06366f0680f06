// Schedules retries with exponential backoff.

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

interface Wait {
  /** Consecutive failures; 0 while it only waits. */
  readonly failures: number;
  /** A time of `performance.now()`. */
  readonly until: number;
}

export class RetrySchedule {
  readonly #waits = new Map<string, Wait>();

  /** Number of keys whose last try failed. */
  get failing(): number {
    return [...this.#waits.values()].filter(({ failures }) => failures > 0).length;
  }

  isDue(key: string): boolean {
    return performance.now() >= (this.#waits.get(key)?.until ?? 0);
  }

  /** Tries the key again soon, without a failure. */
  postpone(key: string): void {
    this.#waits.set(key, { failures: 0, until: performance.now() + FIRST_PAUSE_MS });
  }

  /** Records a failure. @returns whether it is the first in a row */
  failed(key: string): boolean {
    const failures = (this.#waits.get(key)?.failures ?? 0) + 1;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    this.#waits.set(key, { failures, until: performance.now() + pause });
    return failures === 1;
  }

  forget(key: string): void {
    this.#waits.delete(key);
  }

  /** Forgets all other keys. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#waits.keys()) if (!keys.has(key)) this.#waits.delete(key);
  }
}
