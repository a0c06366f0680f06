/** How long to wait between attempts. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Each pause is that many times the one before. 2 by default. */
  readonly factor?: number;
}

/** Pauses that grow from attempt to attempt, up to the longest. */
export class Backoff {
  #next: number;

  constructor(private readonly limits: BackoffLimits) {
    this.#next = Math.min(limits.firstMs, limits.longestMs);
  }

  /** Milliseconds to wait before the next attempt. */
  next(): number {
    const { longestMs, factor = 2 } = this.limits;
    const pause = this.#next;
    this.#next = Math.min(pause * factor, longestMs);
    return pause;
  }
}
