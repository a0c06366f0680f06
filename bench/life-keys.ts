// Keys that a seed repeats, so that the same addresses, and with them the same compute units, come up in every run.
import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import type { LifeKeys } from './token-life.js';

/** The wallets of a token's life. The seed gives the keys away: for local clusters only. */
export function lifeKeysOf(seed: string, index: number): LifeKeys {
  const key = (role: string) =>
    Keypair.fromSeed(createHash('sha256').update(`curvekit bench ${seed} ${index} ${role}`).digest());
  return { mint: key('mint'), creator: key('creator'), trader: key('trader') };
}
