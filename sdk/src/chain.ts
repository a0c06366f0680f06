// All that the core needs of a Solana library at run time: here web3.js. The build of `@curvekit/sdk/kit` puts kit/chain.ts in its place.
export { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
export { Buffer } from 'buffer';

/** What an error calls a public key. */
export const KEY_TYPE = 'a PublicKey';
