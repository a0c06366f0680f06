// Kit's client of the configured cluster. Imported only for transactions, because Kit is large.
import { associatedTokenAddress, createDeployment, type Deployment } from '@curvekit/sdk/kit';
import { createSolanaRpc, type Address, type Rpc, type SolanaRpcApi } from '@solana/kit';
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
  return { rpc: createSolanaRpc(rpcUrlOf(config)), deployment: await createDeployment(config.deployment) };
}

/** Address of the token account that trades use. */
export async function associatedAccount(wallet: string, mint: string): Promise<string> {
  return (await associatedTokenAddress(wallet as Address, mint as Address)).address;
}
