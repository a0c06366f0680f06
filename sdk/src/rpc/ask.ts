// Every read of an RPC node: with a timeout, an abort signal, and retries.
import { requireInteger } from '../checks/numbers.js';
import type { OptionNames } from '../checks/options.js';
import { throwIfAborted } from '../platform/abort.js';
import { Backoff } from '../time/backoff.js';
import { sleep } from '../time/sleep.js';
import { type Asked, isBehind, rpcError } from './failure.js';
import { RpcError } from './rpc-error.js';
import { unlessAborted, withTimeout } from '../time/timeout.js';

/** Options of functions that read from an RPC node. */
export interface RpcOptions {
  /** Timeout of each read, its retries included. Default 30,000 ms. */
  readonly timeoutMs?: number | undefined;
  /**
   * Number of retries after HTTP 429, HTTP 5xx, a broken connection or a lost answer. Default 3; 0 disables retries.
   */
  readonly retries?: number | undefined;
  /** Aborts the read. */
  readonly signal?: AbortSignal | undefined;
}

export const RPC_OPTIONS = {
  timeoutMs: true,
  retries: true,
  signal: true,
} as const satisfies OptionNames<RpcOptions>;

const DEFAULT_TIMEOUT_MS = 30_000;
const LONGEST_TIMEOUT_MS = 3_600_000;
const DEFAULT_RETRIES = 3;
const MOST_RETRIES = 100;
/** An answer that takes longer than this, and than half of the timeout, counts as lost. */
const LOST_AFTER_MS = 10_000;
const PAUSES = { firstMs: 250, longestMs: 2_000 };
/** How long to wait for a node that is behind, in a pool where another node is not. */
const BEHIND_MS = 10_000;
const BEHIND_PAUSES = { firstMs: 100, longestMs: 1_000 };

/** @throws InvalidArgumentError for an option out of range */
export function requireRpcOptions({ timeoutMs, retries }: RpcOptions): void {
  if (timeoutMs !== undefined) requireInteger('timeoutMs', timeoutMs, LONGEST_TIMEOUT_MS, 1);
  if (retries !== undefined) requireInteger('retries', retries, MOST_RETRIES);
}

/**
 * Makes a request, and repeats it if that can help.
 *
 * @throws RpcError; the signal's reason; errors of this package that `request` throws
 */
export async function ask<T>(
  asked: Asked,
  request: () => Promise<T>,
  { timeoutMs = DEFAULT_TIMEOUT_MS, retries = DEFAULT_RETRIES, signal }: RpcOptions,
): Promise<T> {
  const startedAt = Date.now();
  const pauses = new Backoff(PAUSES);
  const behindPauses = new Backoff(BEHIND_PAUSES);
  // The first request has the whole time, so that its error names the timeout that the caller gave.
  let leftMs = timeoutMs;
  for (let attempt = 0; ;) {
    throwIfAborted(signal);
    const limitMs = attempt < retries ? Math.min(leftMs, Math.max(LOST_AFTER_MS, timeoutMs / 2)) : leftMs;
    try {
      return await answered(request(), limitMs, signal);
    } catch (error) {
      throwIfAborted(signal);
      const failure = rpcError(error, asked);
      if (!(failure instanceof RpcError) || !failure.isTemporary) throw failure;
      const elapsedMs = Date.now() - startedAt;
      const mayWait = isBehind(failure) && retries > 0 ? elapsedMs < BEHIND_MS : attempt++ < retries;
      const pauseMs = isBehind(failure) ? behindPauses.next() : pauseAfter(failure, pauses);
      if (!mayWait || elapsedMs + pauseMs >= timeoutMs) throw failure;
      await sleep(pauseMs, signal);
      leftMs = Math.max(startedAt + timeoutMs - Date.now(), 1);
    }
  }
}

function pauseAfter({ retryAfter = 0 }: RpcError, pauses: Backoff): number {
  return Math.max(retryAfter * 1_000, pauses.next());
}

/** The RPC node's answer. @throws TimeoutError when it hangs; the signal's reason as soon as it is aborted */
export function answered<T>(
  request: Promise<T>,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  return unlessAborted(withTimeout(request, limitMs, 'the RPC node'), signal);
}
