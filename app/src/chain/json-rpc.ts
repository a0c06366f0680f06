// JSON-RPC with batched calls. web3.js validates answers too slowly for a backfill.
import { NodeError } from './node-errors.js';
import { askNodeForText, hostOf, notJsonRpc, quoted } from './node-request.js';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

const REQUEST_TIMEOUT_MS = 30_000;
/** HTTP statuses with which RPC nodes refuse batches. */
const NO_BATCHES = new Set([400, 403, 405, 413, 415, 422]);

const NO_CODES: ReadonlySet<number> = new Set();

export class JsonRpc {
  readonly #url: string;
  #takesBatches = true;

  constructor(url: string) {
    this.#url = url;
  }

  /** Whether the RPC node accepts several calls in one request. True until it refuses. */
  get takesBatches(): boolean {
    return this.#takesBatches;
  }

  /** @throws NodeError, or the abort reason of the signal */
  async call(call: Call, signal: AbortSignal): Promise<unknown> {
    const answer = await this.#post({ jsonrpc: '2.0', id: 0, ...call }, call.method, signal);
    return this.#result(call.method, answer);
  }

  /** The result, or the error if it has one of these codes. */
  async callOr(codes: ReadonlySet<number>, call: Call, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.call(call, signal);
    } catch (error) {
      if (error instanceof NodeError && error.code !== undefined && codes.has(error.code)) return error;
      throw error;
    }
  }

  /**
   * The results in the order of the calls, all made in one request; undefined when the RPC node refuses batches.
   *
   * @param codes errors with these codes are returned as NodeError in place of a result
   * @throws NodeError when a call failed with another error, or the abort reason of the signal
   */
  async callAll(
    calls: readonly Call[],
    signal: AbortSignal,
    codes: ReadonlySet<number> = NO_CODES,
  ): Promise<unknown[] | undefined> {
    // An empty batch is no JSON-RPC: Agave answers it with nothing at all.
    if (calls.length === 0) return [];
    const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
    let answers: unknown;
    try {
      answers = await this.#post(body, calls[0]!.method, signal);
    } catch (error) {
      if (!(error instanceof NodeError && NO_BATCHES.has(error.httpStatus ?? 0))) throw error;
    }
    if (!Array.isArray(answers)) {
      this.#takesBatches = false;
      return undefined;
    }
    const byId = new Map((answers as Answer[]).map((answer) => [answer.id, answer]));
    return calls.map(({ method }, id) => {
      try {
        return this.#result(method, byId.get(id));
      } catch (error) {
        if (error instanceof NodeError && error.code !== undefined && codes.has(error.code)) return error;
        throw error;
      }
    });
  }

  async #post(body: unknown, method: string, signal: AbortSignal): Promise<unknown> {
    const request = { body: JSON.stringify(body), method, timeoutMs: REQUEST_TIMEOUT_MS, signal };
    const text = await askNodeForText(this.#url, request);
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw notJsonRpc(this.#url, method, text, cause);
    }
  }

  #result(method: string, answer: unknown): unknown {
    const { error, result } = (answer ?? {}) as Answer;
    if (typeof error === 'string') throw notJsonRpc(this.#url, method, error);
    const host = hostOf(this.#url);
    if (error !== undefined && error !== null) {
      const { code, message } = error;
      throw new NodeError(
        `${host} answers ${method} with error ${code}: ${quoted(String(message), this.#url)}`,
        undefined,
        { code },
      );
    }
    if (answer === undefined) throw new NodeError(`${host} gives no answer to ${method}`);
    if (result === undefined) throw notJsonRpc(this.#url, method, JSON.stringify(answer));
    return result;
  }
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string } | string | null;
}

// Retries calls until the RPC node answers or the signal aborts. Permanent errors are thrown at once.

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

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

  /** The result of a single attempt; undefined after any error but an abort. */
  async tryCall(call: Call, signal: AbortSignal): Promise<unknown> {
    return this.#rpc.call(call, signal).catch(() => signal.throwIfAborted());
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
