// The same trade over web3.js and over Kit.
import { createSolanaRpc, type Address } from '@solana/kit';
import type { Keypair, PublicKey } from '@solana/web3.js';
import { trade } from '@curvekit/sdk/trade';
import type { Trader } from '#tests/program/trader.js';
import { signerOf } from './convert.js';
import { kitTrading, type KitTrading } from './kit-entry.js';

export type Amount = { readonly solToSpend: bigint } | { readonly tokenToSpend: 'all' };

/** Trades the trader's token through the trader's RPC proxy. */
export type ProxiedTrade = (
  amount: Amount,
  options?: object,
) => Promise<{ readonly networkFee: bigint; readonly tokenAmount: bigint }>;

/** @returns one trade for each library; call it only where hooks can be declared */
export function useBothTraders(trader: () => Trader): Readonly<Record<string, ProxiedTrade>> {
  let kit: KitTrading;
  /** One client for the proxy: a client remembers the last transaction that landed. */
  let rpc: ReturnType<typeof createSolanaRpc> | undefined;
  before(async () => (kit = await kitTrading('@solana/kit')));
  const common = ({ token, wallet }: Trader): { readonly mint: PublicKey; readonly wallet: Keypair } => ({
    mint: token.mint,
    wallet,
  });
  return {
    'web3.js': (amount, options) => trade(trader().proxied, { ...common(trader()), ...amount, ...options }),
    '@solana/kit': async (amount, options) => {
      const { token, wallet, proxy } = trader();
      rpc ??= createSolanaRpc(proxy.url);
      const mint = token.mint.toBase58() as Address;
      return kit.trade(rpc, { mint, wallet: await signerOf(wallet), ...amount, ...options });
    },
  };
}
