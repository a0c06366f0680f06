// By what the holders' part of a settlement that was found on chain is divided: its own snapshot is lost.
import { PublicKey } from '@solana/web3.js';
import type { Context } from '../../context.js';
import { readHoldings } from './holders.js';
import type { SettledToken } from './repository.js';
import { excludedWallets } from './snapshot.js';

/** Who holds the token, with what weight, as of a finalized slot. */
export interface HolderWeights {
  readonly slot: number;
  /** Token units by wallet, above zero. */
  readonly weights: ReadonlyMap<string, bigint>;
}

/** @throws NodeError when the node breaks off */
export async function holderWeights(
  context: Context,
  token: SettledToken,
  { minContextSlot, signal }: { readonly minContextSlot: number; readonly signal: AbortSignal },
): Promise<HolderWeights> {
  const mint = new PublicKey(token.mint);
  const batches = readHoldings({ rpcUrl: context.config.rpcUrl, mint, minContextSlot, signal });
  const weights = new Map<string, bigint>();
  for (;;) {
    const next = await batches.next();
    if (next.done === true) {
      for (const wallet of excludedWallets(context, token)) weights.delete(wallet);
      return { slot: next.value, weights };
    }
    for (const { owner, balance } of next.value) weights.set(owner, (weights.get(owner) ?? 0n) + balance);
  }
}
