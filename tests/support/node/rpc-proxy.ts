// A proxy in front of a real RPC node. It can stop answering, or change answers, for example to another fork.
import type { ServerResponse } from 'node:http';
import { httpFetch } from '#testing/http-fetch.js';
import { serveNode } from './serve.js';

/** A call in the form that clients send. */
export interface RpcCall {
  /** web3.js uses strings as ids, the service's own client numbers. */
  readonly id?: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Sends a call to the real node. */
export type Ask = (call: RpcCall) => Promise<unknown>;

/**
 * Changes the real node's result of a call: to another result, an {@link RpcFailure}, an {@link HttpFailure}, or a promise
 * of one, which need not settle. If it throws, the connection breaks without an answer.
 *
 * @param request number of the HTTP request; all calls of one batch share it
 */
export type Rewrite = (
  call: RpcCall,
  result: unknown,
  more: { readonly request: number; readonly ask: Ask },
) => unknown;

/** A JSON-RPC error as an answer. */
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

export interface RpcProxyOptions {
  /** True accepts batches even if the real node does not, false refuses them. Omitted, the real node decides. */
  readonly batches?: boolean;
}

export interface RpcProxy {
  readonly url: string;
  /** Number of calls per method. */
  readonly calls: ReadonlyMap<string, number>;
  /** Changes results from now on; undefined stops that. */
  rewrite(rewrite: Rewrite | undefined): void;
  /** From now on every request is answered with HTTP 503; false ends that. */
  setDown(down: boolean): void;
  /** From now on requests are accepted but never answered; false ends that. */
  setHanging(hanging: boolean): void;
  stop(): Promise<void>;
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

/** Starts a proxy in front of the node at `rpcUrl`. */
export async function startRpcProxy(rpcUrl: string, { batches }: RpcProxyOptions = {}): Promise<RpcProxy> {
  let rewrite: Rewrite | undefined;
  let isDown = false;
  let isHanging = false;
  let requests = 0;
  const counts = new Map<string, number>();

  async function answer(body: string, response: ServerResponse): Promise<void> {
    if (isHanging) return;
    if (isDown) {
      response.writeHead(503).end();
      return;
    }
    const calls = JSON.parse(body) as RpcCall | RpcCall[];
    const request = (requests += 1);
    if (Array.isArray(calls) && batches === false) {
      response.writeHead(400).end();
      return;
    }
    if (Array.isArray(calls) && batches === true) {
      const texts = await Promise.all(
        calls.map(async (call) => (await rewritten(call, await forward(call), request)).text),
      );
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`[${texts.join(',')}]`);
      return;
    }
    const forwarded = await forward(calls);
    const { status, text } = Array.isArray(calls) ? forwarded : await rewritten(calls, forwarded, request);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text);
  }

  async function forward(body: unknown): Promise<Answered> {
    const upstream = await httpFetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: upstream.status, text: await upstream.text() };
  }

  const ask: Ask = async (call) => {
    const { text } = await forward({ jsonrpc: '2.0', id: 0, ...call });
    return (JSON.parse(text) as { result?: unknown }).result;
  };

  async function rewritten(call: RpcCall, answered: Answered, request: number): Promise<Answered> {
    const { status, text } = answered;
    counts.set(call.method, (counts.get(call.method) ?? 0) + 1);
    if (rewrite === undefined) return answered;
    const parsed = JSON.parse(text) as { id: unknown; result?: unknown };
    const answer = await rewrite(call, parsed.result, { request, ask });
    if (answer === parsed.result) return answered;
    if (answer instanceof HttpFailure) return { status: answer.status, text: answer.body };
    const outcome = answer instanceof RpcFailure ? { error: answer } : { result: answer };
    return { status, text: JSON.stringify({ jsonrpc: '2.0', id: parsed.id, ...outcome }) };
  }

  return {
    ...(await serveNode(answer)),
    calls: counts,
    rewrite: (next) => {
      rewrite = next;
    },
    setDown: (down) => {
      isDown = down;
    },
    setHanging: (hanging) => {
      isHanging = hanging;
    },
  };
}
