import { Keypair } from '@solana/web3.js';

export const newAddress = (): string => Keypair.generate().publicKey.toBase58();
