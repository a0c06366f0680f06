// Kit's client of the configured cluster. Imported only for transactions, because Kit is large.
import { associatedTokenAddress, createDeployment, type Deployment } from '@curvekit/sdk/kit';
import {
  createDefaultRpcTransport,
  getSolanaErrorFromJsonRpcError,
  type Address,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import type { MarketConfig } from '../market/types.js';
import { rpcUrlOf } from './rpc.js';

export interface Chain {
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly deployment: Deployment;
}

let made: { readonly config: MarketConfig; readonly chain: Promise<Chain> } | undefined;

/** Returns one client per configuration. */
export function chainOf(config: MarketConfig): Promise<Chain> {
  if (made?.config !== config) made = { config, chain: connected(config) };
  return made.chain;
}

async function connected(config: MarketConfig): Promise<Chain> {
  return { rpc: clientOf(rpcUrlOf(config)), deployment: await createDeployment(config.deployment) };
}

/** `createSolanaRpc` without what the SDK does not use: its conversion of integers alone is half of its size. */
function clientOf(url: string): Rpc<SolanaRpcApi> {
  const transport = createDefaultRpcTransport({ url });
  const send = async (method: string, params: readonly unknown[]) => {
    const payload = { jsonrpc: '2.0', id: 1, method, params };
    const { result, error } = await transport<{ readonly result: unknown; readonly error?: unknown }>({
      payload,
    });
    if (error !== undefined) throw getSolanaErrorFromJsonRpcError(error);
    return result;
  };
  const call =
    (_: unknown, method: string) =>
    (...params: readonly unknown[]) => ({ send: () => send(method, params) });
  return new Proxy({}, { get: call }) as Rpc<SolanaRpcApi>;
}

/** Address of the token account that trades use. */
export async function associatedAccount(wallet: string, mint: string): Promise<string> {
  return (await associatedTokenAddress(wallet as Address, mint as Address)).address;
}
