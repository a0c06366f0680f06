// What the SDK needs from web3.js for transactions at run time. chain.ts has the rest. The build of
// `@curvekit/sdk/kit/trade` replaces this file with kit/chain-transactions.ts.
export { TransactionMessage, VersionedTransaction } from '@solana/web3.js';
