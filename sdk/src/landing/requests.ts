// Requests about one transaction to an RPC node that may hang or fail for a while.
import { Backoff } from '../backoff.js';
import { isWithoutHistory } from '../rpc-errors.js';
import { sleep } from '../sleep.js';
import { withTimeout } from '../timeout.js';
import { unlessAborted } from '../unless-aborted.js';

/**
 * Makes a request, again if need be. Passes on the error that says that the node keeps no history.
 *
 * @param limitMs of one attempt, for one that is more than one request
 */
export type Retry = <T>(request: () => Promise<T>, limitMs?: number) => Promise<T>;

const REQUEST_TIMEOUT_MS = 10_000;
const RETRIES = { firstMs: 20, longestMs: 5_000 };

/** Thrown when the node has not answered, or has told nothing new, for too long. */
export class StalledError extends Error {
  override readonly name = 'StalledError';
}

/** How long to go on, in milliseconds. */
export interface RequestLimits {
  /** With a node that tells nothing new. */
  readonly stallTimeoutMs: number;
  /** With a node that does not answer. */
  readonly failureTimeoutMs: number;
}

/** Requests within limits of time. These are not points in time: the time that a computer sleeps does not count. */
export class Requests {
  readonly #timeoutMs: number;
  /** Since the last progress. */
  #stalledMs = 0;
  /** Since the last answer. */
  #failingMs = 0;

  constructor(
    private readonly limits: RequestLimits,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#timeoutMs = Math.min(REQUEST_TIMEOUT_MS, limits.stallTimeoutMs / 4);
  }

  /** The node has told something new. */
  progress(): void {
    this.#stalledMs = 0;
  }

  /** One attempt. @throws TimeoutError when it hangs; the signal's reason, unless the attempt has no limit */
  once<T>(request: Promise<T>, limitMs = this.#timeoutMs): Promise<T> {
    if (limitMs === Infinity) return request;
    return unlessAborted(withTimeout(request, limitMs, 'the RPC node'), this.signal);
  }

  /** Attempts until one succeeds. @throws StalledError; the signal's reason */
  readonly retry: Retry = async (request, limitMs) => {
    const pauses = new Backoff(RETRIES);
    for (;;) {
      const since = Date.now();
      try {
        const answer = await this.once(request(), limitMs);
        this.#failingMs = 0;
        return answer;
      } catch (error) {
        this.signal?.throwIfAborted();
        if (isWithoutHistory(error)) throw error;
        const pauseMs = pauses.next();
        const lostMs = Math.min(Date.now() - since, this.#timeoutMs);
        this.#stalledMs += lostMs;
        this.#failingMs += lostMs + pauseMs;
        if (this.#failingMs >= this.limits.failureTimeoutMs) {
          const { failureTimeoutMs } = this.limits;
          throw new StalledError(`the RPC node has not answered for ${failureTimeoutMs} ms`, {
            cause: error,
          });
        }
        await this.pause(pauseMs, error);
      }
    }
  };

  /** @throws StalledError when the time is over; the signal's reason */
  async pause(milliseconds: number, cause?: unknown): Promise<void> {
    const { stallTimeoutMs } = this.limits;
    this.#stalledMs += milliseconds;
    if (this.#stalledMs >= stallTimeoutMs) {
      throw new StalledError(`the RPC node has told nothing new for ${stallTimeoutMs} ms`, { cause });
    }
    await sleep(milliseconds, this.signal);
  }
}
