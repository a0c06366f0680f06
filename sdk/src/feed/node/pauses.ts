import { CurvekitError } from '../../errors/index.js';

/** Thrown internally to stop all running work when the subscription is closed. */
export class ClosedError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'ClosedError';
  constructor() {
    super('the subscription was closed');
  }
}

/** Pauses that can end early. */
export class Pauses {
  readonly #closing = new AbortController();
  /** Callbacks that end the current pauses. */
  readonly #ends = new Set<() => void>();

  get closed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Aborted with a ClosedError at `close`. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** Ends all current and later pauses with a ClosedError. */
  close(): void {
    this.#closing.abort(new ClosedError());
    this.wake();
  }

  wake(): void {
    for (const end of this.#ends) end();
  }

  /** @throws ClosedError */
  requireOpen(): void {
    if (this.closed) throw new ClosedError();
  }

  /** Waits until the time is over or `wake` is called. @throws ClosedError */
  async wait(milliseconds: number): Promise<void> {
    this.requireOpen();
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#ends.delete(end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      this.#ends.add(end);
    });
    this.requireOpen();
  }
}
