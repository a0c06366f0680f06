// Which cluster it is, as wallets name it.

const CHAINS: Readonly<Record<string, string>> = {
  '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d': 'solana:mainnet',
  EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG: 'solana:devnet',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY': 'solana:testnet',
};

/** @param genesis hash of the cluster's first block */
export function chainOf(genesis: string): string {
  return CHAINS[genesis] ?? 'solana:localnet';
}

/** `{path}` stands for `tx/SIGNATURE` or `address/ADDRESS`. Null for a local cluster, which no explorer sees. */
export function explorerOf(chain: string): string | null {
  if (chain === 'solana:localnet') return null;
  const cluster = chain === 'solana:mainnet' ? '' : `?cluster=${chain.slice('solana:'.length)}`;
  return `https://explorer.solana.com/{path}${cluster}`;
}
