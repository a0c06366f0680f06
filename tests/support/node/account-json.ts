import type { PublicKey } from '@solana/web3.js';

/** An account as RPC nodes answer it, in base64. */
export const accountJson = (program: PublicKey, lamports: bigint, data: Uint8Array) => ({
  executable: false,
  owner: program.toBase58(),
  lamports: Number(lamports),
  rentEpoch: 0,
  space: data.length,
  data: [Buffer.from(data).toString('base64'), 'base64'] as const,
});
