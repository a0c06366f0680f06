// The runtime's errors for a payer without SOL do not name the payer.
import type { PublicKey } from '@solana/web3.js';
import { TransactionError } from '@curvekit/sdk';

const PROBLEMS: Readonly<Record<string, string>> = {
  AccountNotFound: 'has no SOL to pay the network fee',
  InsufficientFundsForFee: 'has too little SOL to pay the network fee',
};

/** The same error with the payer's address, if the payer lacks SOL for the network fee. */
export function namingPayer(error: unknown, payer: PublicKey): unknown {
  if (!(error instanceof TransactionError)) return error;
  const { reason, logs, signature } = error;
  const problem = PROBLEMS[reason];
  if (problem === undefined || error.instruction !== undefined) return error;
  const message = `the account ${payer.toBase58()} ${problem}; send it at least 0.01 SOL`;
  return new TransactionError(reason, message, { logs, signature, cause: error });
}
