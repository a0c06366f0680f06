// Holders' weights for a settlement that was recovered from the chain. Its own samples are lost, so new ones are taken at
// unpredictable moments.
import { setTimeout as sleep } from 'node:timers/promises';
import { PublicKey } from '@solana/web3.js';
import type { Context } from '../../../context.js';
import { addHoldings } from './holders.js';
import { momentOf, newSeed, SAMPLES } from './moments.js';
import type { SettledToken } from './tokens-repository.js';
import { excludedWallets } from './sample.js';

/** Holders of the token and their weights, up to a finalized slot. */
export interface HolderWeights {
  readonly slot: number;
  /** Token units by wallet, summed over the samples, above zero. */
  readonly weights: ReadonlyMap<string, bigint>;
}

export interface WeightsOptions {
  /** Balances of an earlier slot are refused. */
  readonly minContextSlot: number;
  readonly periodMs: number;
  readonly signal: AbortSignal;
}

/** Samples the holders over a period. @throws NodeError when the RPC node fails; then nothing is stored */
export async function holderWeights(
  context: Context,
  token: SettledToken,
  { minContextSlot, periodMs, signal }: WeightsOptions,
): Promise<HolderWeights> {
  const period = { seed: newSeed(), startedAt: Date.now(), periodMs, samples: SAMPLES };
  const mint = new PublicKey(token.mint);
  const weights = new Map<string, bigint>();
  let slot = minContextSlot;
  for (let index = 0; index < SAMPLES; index += 1) {
    await sleep(Math.max(0, momentOf(period, index) - Date.now()), undefined, { signal });
    slot = await addHoldings({ rpcUrl: context.config.rpcUrl, mint, minContextSlot: slot, signal }, weights);
  }
  for (const wallet of excludedWallets(context, token)) weights.delete(wallet);
  return { slot, weights };
}
