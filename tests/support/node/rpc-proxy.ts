// A proxy in front of a real RPC node. It can stop answering, or change answers, for example to another fork.
import { httpFetch } from '#testing/http-fetch.js';
import { Answered, startFakeNode, type FakeNode, type Fault } from './fake-node.js';

export { HttpFailure, RpcFailure, type Ask, type RpcCall } from './fake-node.js';
export type Rewrite = Fault;

export interface RpcProxyOptions {
  /** True accepts batches even if the real node does not, false refuses them. Omitted, the real node decides. */
  readonly batches?: boolean;
}

export interface RpcProxy extends FakeNode {
  /** Changes results from now on; undefined stops that. */
  rewrite(rewrite: Rewrite | undefined): void;
}

export async function startRpcProxy(rpcUrl: string, { batches }: RpcProxyOptions = {}): Promise<RpcProxy> {
  async function forward(body: object): Promise<Answered> {
    const upstream = await httpFetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return new Answered(upstream.status, await upstream.text());
  }
  const node = await startFakeNode((call) => forward({ jsonrpc: '2.0', ...call }), {
    batches: batches ?? forward,
  });
  return {
    ...node,
    rewrite: (rewrite) => (rewrite === undefined ? node.setFaults() : node.setFaults(rewrite)),
  };
}
