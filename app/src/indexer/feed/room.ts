/** Lets a feed wait for room, for a limited time: whoever makes none may not need what waits. */
export class Room {
  #go: (() => void) | undefined;
  #isGivenUp = false;

  constructor(private readonly longestMs: number) {}

  /** Resolves when room was made, or after the longest time; undefined when the last wait was in vain. */
  wait(): Promise<void> | undefined {
    if (this.#isGivenUp) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#isGivenUp = true;
        resolve();
      }, this.longestMs);
      this.#go = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** There is room: who waits goes on, and the next may wait again. */
  made(): void {
    this.#isGivenUp = false;
    this.#go?.();
    this.#go = undefined;
  }
}
