// JSON-RPC with batched calls. web3.js validates answers too slowly for a backfill.
import { NodeError } from './node-errors.js';

export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

const REQUEST_TIMEOUT_MS = 30_000;
/** HTTP statuses with which RPC nodes refuse batches. */
const NO_BATCHES = new Set([400, 403, 405, 413, 415, 422]);

const NO_CODES: ReadonlySet<number> = new Set();

/** Calls one RPC node. */
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
    return result(await this.#post({ jsonrpc: '2.0', id: 0, ...call }, signal));
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
    const body = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
    let answers: unknown;
    try {
      answers = await this.#post(body, signal);
    } catch (error) {
      if (!(error instanceof NodeError && NO_BATCHES.has(error.httpStatus ?? 0))) throw error;
    }
    if (!Array.isArray(answers)) {
      this.#takesBatches = false;
      return undefined;
    }
    const byId = new Map((answers as Answer[]).map((answer) => [answer.id, answer]));
    return calls.map((_, id) => {
      try {
        return result(byId.get(id));
      } catch (error) {
        if (error instanceof NodeError && error.code !== undefined && codes.has(error.code)) return error;
        throw error;
      }
    });
  }

  async #post(body: unknown, signal: AbortSignal): Promise<unknown> {
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, timeout]),
      });
      if (!response.ok) {
        await response.body?.cancel();
        throw new NodeError(`the node answers HTTP ${response.status}`, response.status);
      }
      return await response.json();
    } catch (cause) {
      if (signal.aborted || cause instanceof NodeError) throw cause;
      const reason = timeout.aborted ? `no answer within ${REQUEST_TIMEOUT_MS / 1_000} s` : String(cause);
      throw new NodeError(`the node cannot be reached: ${reason}`, undefined, { cause });
    }
  }
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

function result(answer: unknown): unknown {
  const { error, result: value } = (answer ?? {}) as Answer;
  if (error !== undefined) {
    const { code, message } = error;
    throw new NodeError(`the node answers error ${code}: ${message}`, undefined, { code });
  }
  if (value === undefined) throw new NodeError('the node gives no answer to a call');
  return value;
}
