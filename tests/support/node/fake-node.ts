// A fake RPC node: a chain that answers calls, and a list of faults that change the answers. HTTP, batches and encodings are
// real. A chain is a real cluster (rpc-proxy.ts), a chain that a test makes fork (partial-node.ts), or made up (node-with-dust.ts).
import type { ServerResponse } from 'node:http';
import { serveNode, type ServedNode } from './serve.js';

export interface RpcCall {
  /** web3.js uses strings as ids, the service's own client numbers. */
  readonly id?: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

export class RpcFailure {
  constructor(
    readonly code: number,
    readonly message: string,
  ) {}
}

/** An HTTP error as an answer to a call outside a batch. */
export class HttpFailure {
  constructor(
    readonly status: number,
    readonly body = '',
  ) {}
}

/** An answer as text, passed on byte for byte. */
export class Answered {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {}

  get result(): unknown {
    return (JSON.parse(this.text) as { result?: unknown }).result;
  }
}

/** @returns a result, a failure, or a whole answer. If it throws, the connection breaks without an answer */
export type Chain = (call: RpcCall) => unknown;

/** Asks the chain itself, without faults. */
export type Ask = (call: RpcCall) => Promise<unknown>;

/**
 * Changes the result of a call: to another result, an {@link RpcFailure}, an {@link HttpFailure}, or a promise of one, which
 * need not settle. If it throws, the connection breaks without an answer.
 *
 * @param result undefined for an error
 * @param request number of the HTTP request; all calls of one batch share it
 */
export type Fault = (
  call: RpcCall,
  result: unknown,
  more: { readonly request: number; readonly ask: Ask },
) => unknown;

export interface FakeNodeOptions {
  /** False refuses batches. A function answers a whole batch, without faults. */
  readonly batches?: boolean | ((calls: readonly RpcCall[]) => Promise<Answered>);
  /** Refuses a request before its calls are answered. */
  readonly refuse?: (calls: readonly RpcCall[]) => HttpFailure | undefined;
}

export interface FakeNode extends ServedNode {
  /** Number of calls that were answered, per method. */
  readonly calls: ReadonlyMap<string, number>;
  /** From now on each changes what the one before it gives. */
  setFaults(...faults: readonly Fault[]): void;
  /** From now on every request is answered with HTTP 503; false ends that. */
  setDown(down: boolean): void;
  /** From now on requests are accepted but never answered; false ends that. */
  setHanging(hanging: boolean): void;
}

export async function startFakeNode(
  chain: Chain,
  { batches = true, refuse = () => undefined }: FakeNodeOptions = {},
): Promise<FakeNode> {
  let faults: readonly Fault[] = [];
  let isDown = false;
  let isHanging = false;
  let requests = 0;
  const counts = new Map<string, number>();
  const ask: Ask = async (call) => resultOf(await chain({ id: 0, ...call }));

  async function answer(call: RpcCall, request: number): Promise<Answered> {
    let outcome = await chain(call);
    counts.set(call.method, (counts.get(call.method) ?? 0) + 1);
    for (const fault of faults) {
      const result = resultOf(outcome);
      const changed = await fault(call, result, { request, ask });
      if (changed !== result) outcome = changed;
    }
    return answered(call, outcome);
  }

  async function respond(body: string, response: ServerResponse): Promise<void> {
    if (isHanging) return;
    const asked = JSON.parse(body) as RpcCall | RpcCall[];
    const request = (requests += 1);
    const { status, text } = isDown ? new Answered(503, '') : await all(asked, request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  }

  async function all(asked: RpcCall | RpcCall[], request: number): Promise<Answered> {
    const calls = Array.isArray(asked) ? asked : [asked];
    const refusal = refuse(calls);
    if (refusal !== undefined) return new Answered(refusal.status, refusal.body);
    if (!Array.isArray(asked)) return answer(asked, request);
    if (typeof batches === 'function') return batches(asked);
    if (!batches) return new Answered(400, '');
    const answers = await Promise.all(calls.map((call) => answer(call, request)));
    return new Answered(200, `[${answers.map(({ text }) => text).join(',')}]`);
  }

  return {
    ...(await serveNode(respond)),
    calls: counts,
    setFaults: (...next) => (faults = next),
    setDown: (down) => (isDown = down),
    setHanging: (hanging) => (isHanging = hanging),
  };
}

function resultOf(outcome: unknown): unknown {
  if (outcome instanceof Answered) return outcome.result;
  return outcome instanceof RpcFailure || outcome instanceof HttpFailure ? undefined : outcome;
}

function answered({ id }: RpcCall, outcome: unknown): Answered {
  if (outcome instanceof Answered) return outcome;
  if (outcome instanceof HttpFailure) return new Answered(outcome.status, outcome.body);
  const fields = outcome instanceof RpcFailure ? { error: outcome } : { result: outcome };
  return new Answered(200, JSON.stringify({ jsonrpc: '2.0', id, ...fields }));
}
