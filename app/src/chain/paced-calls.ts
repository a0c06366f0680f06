// Many calls to an RPC node that limits them. It makes as many calls at once as the node accepts.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, JsonRpc } from './json-rpc.js';
import { NodeError } from './node-errors.js';

const MOST_AT_ONCE = 200;
const MOST_PER_REQUEST = 50;
/** One after the other, where the node refuses batches. */
const MOST_IN_ROW = 8;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const TOO_MANY_REQUESTS = 429;
/** JSON-RPC errors with which providers refuse a call of a batch. */
const LIMITED: ReadonlySet<number> = new Set([TOO_MANY_REQUESTS, -32429]);

export interface CallOptions {
  /** Errors that are results. */
  readonly codes?: ReadonlySet<number>;
  /** The most calls at once. */
  readonly atOnce?: number;
  /** The most calls in one request. */
  readonly perRequest?: number;
}

export class PacedCalls {
  readonly #rpc: JsonRpc;
  /** Calls at once. Halved when the node refuses some. */
  #width = MOST_AT_ONCE;

  constructor(rpc: JsonRpc) {
    this.#rpc = rpc;
  }

  /** @throws NodeError, also when the node still refuses the call after several seconds */
  async call(call: Call, signal: AbortSignal): Promise<unknown> {
    const [answer] = await this.all([call], signal);
    return answer;
  }

  /** The result, or the error if it has one of these codes. */
  async callOr(codes: ReadonlySet<number>, call: Call, signal: AbortSignal): Promise<unknown> {
    const [answer] = await this.all([call], signal, { codes });
    return answer;
  }

  /**
   * The results in the order of the calls. Errors with one of the codes are returned as NodeError in place of a result.
   *
   * @throws NodeError when a call failed with another error, or the node accepts no call for several seconds
   */
  async all(
    calls: readonly Call[],
    signal: AbortSignal,
    { codes = new Set(), atOnce = MOST_AT_ONCE, perRequest }: CallOptions = {},
  ): Promise<unknown[]> {
    const answers = new Array<unknown>(calls.length);
    const expected = new Set([...codes, ...LIMITED]);
    let left = calls.map((_, index) => index);
    let pause = FIRST_PAUSE_MS;
    while (left.length > 0) {
      signal.throwIfAborted();
      const wave = left.slice(0, Math.min(this.#width, atOnce));
      const batches = chunksOf(wave, perRequest ?? (this.#rpc.takesBatches ? MOST_PER_REQUEST : MOST_IN_ROW));
      const refused = new Map<number, NodeError>();
      const done = await Promise.all(
        batches.map(async (batch) => {
          const found = await this.#send(
            batch.map((index) => calls[index]!),
            expected,
            signal,
          );
          for (const [at, index] of batch.entries()) {
            const answer = found[at];
            if (isLimited(answer)) refused.set(index, answer);
            else answers[index] = answer;
          }
          return found.length;
        }),
      );
      const made = done.reduce((sum, count) => sum + count, 0) - refused.size;
      left = left.filter((index, at) => at >= wave.length || refused.has(index));
      if (refused.size === 0) {
        this.#width = Math.min(MOST_AT_ONCE, this.#width + Math.ceil(this.#width / 4));
        continue;
      }
      this.#width = Math.max(1, Math.floor(this.#width / 2));
      if (made > 0) pause = FIRST_PAUSE_MS;
      else if (pause > LONGEST_PAUSE_MS) throw [...refused.values()][0]!;
      await sleep(pause, undefined, { signal });
      pause *= 2;
    }
    return answers;
  }

  /** The results of one request. A refused request counts as that many refused calls. */
  async #send(calls: readonly Call[], codes: ReadonlySet<number>, signal: AbortSignal): Promise<unknown[]> {
    try {
      if (calls.length > 1 && this.#rpc.takesBatches) {
        const together = await this.#rpc.callAll(calls, signal, codes);
        if (together !== undefined) return together;
      }
      const alone: unknown[] = [];
      for (const call of calls) alone.push(await this.#alone(call, codes, signal));
      return alone;
    } catch (error) {
      if (isLimited(error)) return calls.map(() => error);
      throw error;
    }
  }

  async #alone(call: Call, codes: ReadonlySet<number>, signal: AbortSignal): Promise<unknown> {
    try {
      return await this.#rpc.callOr(codes, call, signal);
    } catch (error) {
      if (isLimited(error)) return error;
      throw error;
    }
  }
}

function isLimited(answer: unknown): answer is NodeError {
  return (
    answer instanceof NodeError &&
    (answer.httpStatus === TOO_MANY_REQUESTS || (answer.code !== undefined && LIMITED.has(answer.code)))
  );
}

function chunksOf<T>(values: readonly T[], size: number): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < values.length; start += size) chunks.push(values.slice(start, start + size));
  return chunks;
}
