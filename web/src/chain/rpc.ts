// Single requests to an RPC node without Kit.
import { request } from '../market/api.js';
import type { MarketConfig } from '../market/types.js';

/** The operator's RPC node for browsers, or else the service's proxy to its node. */
export function rpcUrlOf({ rpcUrl }: Pick<MarketConfig, 'rpcUrl'>): string {
  return rpcUrl ?? `${location.origin}/rpc`;
}

export async function rpc<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const response = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: T; error?: { message?: string } };
  if (error !== undefined || result === undefined)
    throw new Error(error?.message ?? 'the node answers nothing');
  return result;
}
