// All that the core needs of a Solana library at run time: here web3.js. The build of `@curvekit/sdk/kit` puts kit/chain.ts in its place.
export { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
export { Buffer } from 'buffer';

/** What an error calls a public key. */
export const KEY_TYPE = 'a PublicKey';

/** Does work that derives addresses, all of them before its first `await`. Kit derives asynchronously, so it may do the work again. */
export const deriving = async <T>(work: () => T | Promise<T>): Promise<T> => work();
