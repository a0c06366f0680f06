// The cluster's name in wallets, and links to explorers.
import { AMM } from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';

const CHAINS: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'solana:mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'solana:devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'solana:testnet',
};

/** @param genesis hash of the cluster's first block */
export function chainOf(genesis: string): string {
  return CHAINS[genesis] ?? 'solana:localnet';
}

/** The AMM's own page of a token's pool; null if the AMM has none. */
export function poolPageOf(chain: string, mint: string): string | null {
  return chain === 'solana:mainnet' ? AMM.pageOf(new PublicKey(mint)) : null;
}

/**
 * Explorer URL, in which `{path}` is `tx/SIGNATURE` or `address/ADDRESS`. Null for a local cluster, which no explorer can
 * reach.
 */
export function explorerOf(chain: string): string | null {
  if (chain === 'solana:localnet') return null;
  const cluster = chain === 'solana:mainnet' ? '' : `?cluster=${chain.slice('solana:'.length)}`;
  return `https://explorer.solana.com/{path}${cluster}`;
}
