// Requests about one transaction to an RPC node that may hang or fail for some time.
import type { Connection, SendOptions } from '../chain/types.js';
import { throwIfAborted } from '../platform/abort.js';
import { answered } from '../rpc/ask.js';
import { rpcError, type Asked } from '../rpc/failure.js';
import { isWithoutHistory } from '../rpc/refusals.js';
import { Backoff } from '../time/backoff.js';
import { sleep } from '../time/sleep.js';
import { refusalIn } from './refusal.js';

/**
 * Makes a request and retries it if needed. Rethrows the error of a node that keeps no history.
 *
 * @param limitMs timeout of one attempt, for an attempt with several requests
 * @param asked the method and the node's URL. With them, errors are RpcErrors
 */
export type Retry = <T>(
  request: () => Promise<T>,
  limitMs?: number,
  asked?: { readonly method: string; readonly endpoint: string | undefined },
) => Promise<T>;

/** The node of a connection, for the errors of a request. */
export function askedOf({ rpcEndpoint: endpoint }: Pick<Connection, 'rpcEndpoint'>, method: string): Asked {
  return { method, endpoint };
}

/** Sends to a node. @throws a refusal of the transaction as it is; RpcError for another failure */
export async function sendTo(
  connection: Connection,
  bytes: Uint8Array,
  options: SendOptions,
): Promise<string> {
  try {
    return await connection.sendRawTransaction(bytes, options);
  } catch (error) {
    throw refusalIn(error) === undefined ? rpcError(error, askedOf(connection, 'sendTransaction')) : error;
  }
}

const REQUEST_TIMEOUT_MS = 10_000;
const RETRIES = { firstMs: 20, longestMs: 5_000 };

/** Thrown when the node has not answered, or has reported nothing new, for too long. */
export class StalledError extends Error {
  override readonly name = 'StalledError';
}

/** Timeouts in milliseconds. */
export interface RequestLimits {
  /** For a node that reports nothing new. */
  readonly stallTimeoutMs: number;
  /** For a node that does not answer. */
  readonly failureTimeoutMs: number;
}

/**
 * Requests with timeouts. The timeouts count waiting time, not wall-clock time, so the time in which the computer
 * sleeps is excluded.
 */
export class Requests {
  readonly #timeoutMs: number;
  /** Time since the last progress. */
  #stalledMs = 0;
  /** Time since the last answer. */
  #failingMs = 0;

  constructor(
    private readonly limits: RequestLimits,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.#timeoutMs = Math.min(REQUEST_TIMEOUT_MS, limits.stallTimeoutMs / 4);
  }

  /** Call it when the node has reported something new. */
  progress(): void {
    this.#stalledMs = 0;
  }

  /** Makes one attempt. @throws TimeoutError when it hangs; the signal's reason, unless the attempt has no limit */
  once<T>(request: Promise<T>, limitMs = this.#timeoutMs): Promise<T> {
    if (limitMs === Infinity) return request;
    return answered(request, limitMs, this.signal);
  }

  /** Retries until an attempt succeeds. @throws StalledError; the signal's reason */
  readonly retry: Retry = async (request, limitMs, asked) => {
    const pauses = new Backoff(RETRIES);
    for (;;) {
      const since = Date.now();
      try {
        const answer = await this.once(request(), limitMs);
        this.#failingMs = 0;
        return answer;
      } catch (thrown) {
        throwIfAborted(this.signal);
        const error = asked === undefined ? thrown : rpcError(thrown, asked);
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

  /** @throws StalledError when the timeout is over; the signal's reason */
  async pause(milliseconds: number, cause?: unknown): Promise<void> {
    const { stallTimeoutMs } = this.limits;
    this.#stalledMs += milliseconds;
    if (this.#stalledMs >= stallTimeoutMs) {
      throw new StalledError(`the RPC node has reported nothing new for ${stallTimeoutMs} ms`, { cause });
    }
    await sleep(milliseconds, this.signal);
  }
}
