// Concurrent calls with the same key share one request, and calls just after it its answer.

import { BoundedMap } from '../base/bounded-map.js';

/** How long an answer is shared. Storing a claim notices newer payments by their slot. */
const SHARED_MS = 250;
const MOST_SHARED = 10_000;

interface Shared<T> {
  readonly answer: Promise<T>;
  readonly askedAt: number;
  readonly until: number;
}

export class SingleFlight<T> {
  readonly #answers = new BoundedMap<string, Shared<T>>(MOST_SHARED);

  /**
   * The answer for a key. A failure is not shared with later calls.
   *
   * @param since a time of `performance.now()`: an answer requested before it is not reused
   */
  get(key: string, ask: () => Promise<T>, since = -Infinity): Promise<T> {
    const now = performance.now();
    const known = this.#answers.get(key);
    if (known !== undefined && now < known.until && known.askedAt >= since) return known.answer;
    for (const [other, { until }] of this.#answers) if (until <= now) this.#answers.delete(other);
    const answer = ask();
    this.#answers.set(key, { answer, askedAt: now, until: now + SHARED_MS });
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }
}
