// Transactions of web3.js. In the entries for Kit, kit/chain/transactions.ts stands for it.
export { TransactionMessage, VersionedTransaction } from '@solana/web3.js';
