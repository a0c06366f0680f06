// Requests about one transaction to an RPC node that may hang or fail for a while.
import { Backoff } from '../backoff.js';
import { isWithoutHistory } from '../rpc-errors.js';
import { sleep } from '../sleep.js';
import { withTimeout } from '../timeout.js';

/** Makes a request, again if need be. Passes on the error that says that the node keeps no history. */
export type Retry = <T>(request: () => Promise<T>) => Promise<T>;

const REQUEST_TIMEOUT_MS = 10_000;
const RETRIES = { firstMs: 20, longestMs: 5_000 };

/** Thrown when the node has told nothing new for too long. */
export class StalledError extends Error {
  override readonly name = 'StalledError';

  constructor(
    readonly stallTimeoutMs: number,
    cause: unknown,
  ) {
    super(`the RPC node has told nothing new for ${stallTimeoutMs} ms`, { cause });
  }
}

/** Requests within a time that begins anew with each progress. */
export class Requests {
  readonly #timeoutMs: number;
  /** Not a point in time: the time that a computer sleeps does not count. */
  #leftMs: number;

  constructor(
    private readonly stallTimeoutMs: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#leftMs = stallTimeoutMs;
    this.#timeoutMs = Math.min(REQUEST_TIMEOUT_MS, stallTimeoutMs / 4);
  }

  /** The node has told something new. */
  progress(): void {
    this.#leftMs = this.stallTimeoutMs;
  }

  /** One attempt. @throws TimeoutError when it hangs */
  once<T>(request: Promise<T>): Promise<T> {
    return withTimeout(request, this.#timeoutMs, 'the RPC node');
  }

  /** Attempts until one succeeds. @throws StalledError; the signal's reason */
  readonly retry: Retry = async (request) => {
    const retries = new Backoff(RETRIES);
    for (;;) {
      const since = Date.now();
      try {
        return await this.once(request());
      } catch (error) {
        if (isWithoutHistory(error)) throw error;
        this.#leftMs -= Math.min(Date.now() - since, this.#timeoutMs);
        await this.pause(retries.next(), error);
      }
    }
  };

  /** @throws StalledError when the time is over; the signal's reason */
  async pause(milliseconds: number, cause?: unknown): Promise<void> {
    this.#leftMs -= milliseconds;
    if (this.#leftMs <= 0) throw new StalledError(this.stallTimeoutMs, cause);
    await sleep(milliseconds, this.signal);
  }
}
