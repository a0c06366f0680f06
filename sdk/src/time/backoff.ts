/** Limits of the pauses between attempts. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
  /** Each pause is this many times the previous one. Default 2. */
  readonly factor?: number;
}

/** Pauses that grow with each attempt, up to a maximum. */
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
