import { Keypair } from '@solana/web3.js';

/** An address that nobody else has, in base58. */
export const newAddress = (): string => Keypair.generate().publicKey.toBase58();
