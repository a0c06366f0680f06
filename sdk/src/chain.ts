// All that the core needs from web3.js at run time. The build of `@curvekit/sdk/kit` replaces this file with
// kit/chain.ts.
export { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
export { Buffer } from 'buffer';

/** The name of the key type in error messages. */
export const KEY_TYPE = 'a PublicKey';

/**
 * Runs a function that derives addresses. The function must derive all of them before its first `await`. With Kit,
 * which derives asynchronously, the function may run more than once.
 */
export const deriving = async <T>(work: () => T | Promise<T>): Promise<T> => work();
