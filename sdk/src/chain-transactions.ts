// What transactions need of a Solana library at run time, as chain.ts has the rest: here web3.js. The build of `@curvekit/sdk/kit/trade`
// puts kit/chain-transactions.ts in its place.
export { ComputeBudgetProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
