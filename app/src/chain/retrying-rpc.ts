// Retries calls until the RPC node answers or the signal aborts. Permanent errors are thrown at once.
import { setTimeout as sleep } from 'node:timers/promises';
import { JsonRpc, type Call } from './json-rpc.js';
import { NodeError } from './node-errors.js';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Calls one RPC node. */
export class RetryingRpc {
  readonly #rpc: JsonRpc;

  /** @param onError called for every failed request, before its retry */
  constructor(
    rpcUrl: string,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#rpc = new JsonRpc(rpcUrl);
  }

  /** Whether the RPC node accepts several calls in one request. True until it refuses. */
  get takesBatches(): boolean {
    return this.#rpc.takesBatches;
  }

  /** @throws NodeError for a permanent error */
  call(call: Call, signal: AbortSignal): Promise<unknown> {
    return this.#until(() => this.#rpc.call(call, signal), signal);
  }

  /**
   * The results in the order of the calls. Errors with one of these codes are returned as results.
   *
   * @throws NodeError for another permanent error
   */
  async callAllOr(
    codes: ReadonlySet<number>,
    calls: readonly Call[],
    signal: AbortSignal,
  ): Promise<unknown[]> {
    if (this.#rpc.takesBatches) {
      const results = await this.#until(() => this.#rpc.callAll(calls, signal, codes), signal);
      if (results !== undefined) return results;
    }
    return Promise.all(calls.map((call) => this.callOr(codes, call, signal)));
  }

  /** The result, or the error if it has one of these codes. @throws NodeError for another permanent error */
  callOr(codes: ReadonlySet<number>, call: Call, signal: AbortSignal): Promise<unknown> {
    return this.#until(() => this.#rpc.callOr(codes, call, signal), signal);
  }

  async #until<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      signal.throwIfAborted();
      try {
        return await ask();
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof NodeError && error.isLasting) throw error;
        this.onError(error);
      }
      await sleep(pause, undefined, { signal });
    }
  }
}
