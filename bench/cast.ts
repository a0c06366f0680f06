// Keys that a seed repeats, so that the same addresses, and with them the same compute units, come up in every run.
import { createHash } from 'node:crypto';
import { Keypair } from '@solana/web3.js';
import type { Cast } from './token-life.js';

/** The cast of a token's life. Whoever knows the seed has the keys: for local clusters only. */
export function castOf(seed: string, index: number): Cast {
  const key = (role: string) =>
    Keypair.fromSeed(createHash('sha256').update(`curvekit bench ${seed} ${index} ${role}`).digest());
  return { mint: key('mint'), creator: key('creator'), trader: key('trader') };
}
