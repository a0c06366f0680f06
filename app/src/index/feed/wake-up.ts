/** Wakes a waiting loop: at once when `notify` was called since the last wait, at the latest after an interval. */
export class WakeUp {
  #notified = false;
  #wake: () => void = () => undefined;

  constructor(private readonly intervalMs: number) {}

  notify(): void {
    this.#notified = true;
    this.#wake();
  }

  /** Resolves when there may be something new since the last call, or the signal aborts. */
  async wait(signal: AbortSignal): Promise<void> {
    if (!this.#notified && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.intervalMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener('abort', this.#wake, { once: true });
      });
      signal.removeEventListener('abort', this.#wake);
      this.#wake = () => undefined;
    }
    this.#notified = false;
  }
}
