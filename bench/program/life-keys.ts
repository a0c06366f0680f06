// Keys derived from a seed, so that every run has the same addresses and so the same compute units.
import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import type { LifeKeys } from './token-life.js';

/** The wallets of a token's life. Only for local clusters, because anyone can derive the keys from the seed. */
export function lifeKeysOf(seed: string, index: number): LifeKeys {
  const key = (role: string) =>
    Keypair.fromSeed(createHash('sha256').update(`curvekit bench ${seed} ${index} ${role}`).digest());
  return { mint: key('mint'), creator: key('creator'), trader: key('trader') };
}
