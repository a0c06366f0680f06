// A node between the service and the real one, which can fall silent, or tell of another fork than the real one does.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call as clients send it. */
export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/**
 * What the proxy does with the real node's result of a call: another result, an {@link RpcFailure}, or a promise of
 * one, which need not settle. When it throws, the connection breaks without an answer.
 */
export type Rewrite = (call: RpcCall, result: unknown) => unknown;

/** A JSON-RPC error to answer with. */
export class RpcFailure {
  constructor(
    readonly code: number,
    readonly message: string,
  ) {}
}

export interface RpcProxy {
  readonly url: string;
  /** How often each method was called. */
  readonly calls: ReadonlyMap<string, number>;
  /** Changes results from now on; undefined for none. */
  rewrite(rewrite: Rewrite | undefined): void;
  /** From now on every request is answered HTTP 503, or none when false. */
  setDown(down: boolean): void;
  /** From now on requests are taken and never answered, or answered again when false. */
  setHanging(hanging: boolean): void;
  stop(): Promise<void>;
}

/** Starts a proxy before the node at `rpcUrl`. */
export async function startRpcProxy(rpcUrl: string): Promise<RpcProxy> {
  let rewrite: Rewrite | undefined;
  let isDown = false;
  let isHanging = false;
  const calls = new Map<string, number>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (isHanging) return;
    if (isDown) {
      response.writeHead(503).end();
      return;
    }
    const body = Buffer.concat(chunks).toString('utf8');
    const upstream = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const text = await upstream.text();
    const rewrittenText = await rewritten(JSON.parse(body) as RpcCall, text);
    response.writeHead(upstream.status, { 'content-type': 'application/json' });
    response.end(rewrittenText);
  }

  async function rewritten(call: RpcCall, text: string): Promise<string> {
    if (Array.isArray(call)) return text;
    calls.set(call.method, (calls.get(call.method) ?? 0) + 1);
    if (rewrite === undefined) return text;
    const parsed = JSON.parse(text) as { id: unknown; result?: unknown };
    const answer = await rewrite(call, parsed.result);
    if (answer === parsed.result) return text;
    const outcome = answer instanceof RpcFailure ? { error: answer } : { result: answer };
    return JSON.stringify({ jsonrpc: '2.0', id: parsed.id, ...outcome });
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    rewrite: (next) => {
      rewrite = next;
    },
    setDown: (down) => {
      isDown = down;
    },
    setHanging: (hanging) => {
      isHanging = hanging;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
