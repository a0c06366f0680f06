// A clock that a test moves: timers fire in order without waiting, so that minutes of a trade take milliseconds.
const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  now: Date.now.bind(Date),
  performanceNow: performance.now.bind(performance),
  setImmediate: globalThis.setImmediate,
};

/** Of the process's own time, for work on other threads. */
const LONGEST_WAIT_MS = 2_000;

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly fire: () => void;
}

export class VirtualTime {
  /** Milliseconds since its start. */
  now = 0;
  #order = 0;
  readonly #timers = new Map<number, Timer>();

  /** Calls `fire` after these milliseconds. @returns a number that cancels it */
  after(ms: number, fire: () => void): number {
    const order = ++this.#order;
    this.#timers.set(order, { at: this.now + Math.max(ms, 0), order, fire });
    return order;
  }

  cancel(order: number): void {
    this.#timers.delete(order);
  }

  /** Resolves after these milliseconds. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Runs `work` with this clock in place of the process's, and moves it until the work ends. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#install();
    try {
      let isOver = false;
      const ending = work().finally(() => (isOver = true));
      ending.catch(() => undefined);
      for (;;) {
        await settled();
        if (isOver) return await ending;
        if (this.step()) continue;
        // Kit derives addresses on another thread.
        const startedAt = real.now();
        while (!isOver && this.#timers.size === 0) {
          await settled();
          if (real.now() - startedAt > LONGEST_WAIT_MS)
            throw new Error(`nothing happens any more, after ${this.now} ms`);
        }
      }
    } finally {
      globalThis.setTimeout = real.setTimeout;
      globalThis.clearTimeout = real.clearTimeout;
      Date.now = real.now;
      performance.now = real.performanceNow;
    }
  }

  /** Moves the clock to the next timer and fires it. @returns false without a timer */
  step(): boolean {
    let next: Timer | undefined;
    for (const timer of this.#timers.values())
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order))
        next = timer;
    if (next === undefined) return false;
    this.#timers.delete(next.order);
    this.now = next.at;
    next.fire();
    return true;
  }

  #install(): void {
    const set = (fire: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
      const order = this.after(ms, () => fire(...values));
      return { ref: () => undefined, unref: () => undefined, [Symbol.toPrimitive]: () => order };
    };
    globalThis.setTimeout = set as unknown as typeof setTimeout;
    globalThis.clearTimeout = (timer: unknown) => {
      if (timer !== undefined && timer !== null) this.cancel(Number(timer));
    };
    const startedAt = 1_700_000_000_000;
    Date.now = () => startedAt + this.now;
    performance.now = () => this.now;
  }
}

/** Lets everything run that waits for no timer. */
const settled = (): Promise<void> => new Promise((resolve) => real.setImmediate(resolve));
