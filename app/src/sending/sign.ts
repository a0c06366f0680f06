// Transactions that an authority's key pays for and signs.
import type { Connection, TransactionInstruction, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import {
  prepareTransaction,
  suggestComputeUnitPrice,
  type Deployment,
  TransactionError,
} from '@curvekit/sdk';
import { type Signer, signTransaction } from '../keys/signer.js';
import type { StoredTransaction } from './repository.js';

/** Maximum price, in micro-lamports per compute unit. Needed because others can drive recent fees up. */
const HIGHEST_COMPUTE_UNIT_PRICE = 1_000_000n;
/** Percentile of the recent fees on the same accounts. */
const PERCENTILE = 75;
/** Percent added to the simulated compute units. */
const MARGIN_PERCENT = 20;

/**
 * Simulates instructions and signs them. The first signer pays.
 *
 * @throws TransactionError when the simulation fails; then nothing is signed
 * @throws SignerError
 */
export async function signForAuthority(
  connection: Connection,
  deployment: Deployment,
  instructions: readonly TransactionInstruction[],
  signers: readonly [Signer, ...Signer[]],
): Promise<Omit<StoredTransaction, 'subject'>> {
  const suggested = await suggestComputeUnitPrice(connection, instructions, PERCENTILE);
  const payer = signers[0].publicKey;
  const { transaction, blockhashSlot, lastValidBlockHeight } = await prepareTransaction(
    connection,
    {
      payer,
      instructions,
      computeUnitPrice: suggested < HIGHEST_COMPUTE_UNIT_PRICE ? suggested : HIGHEST_COMPUTE_UNIT_PRICE,
    },
    { deployment, marginPercent: MARGIN_PERCENT },
  ).catch((error: unknown) => {
    throw namingPayer(error, payer);
  });
  await signTransaction(transaction, signers);
  return {
    signature: bs58.encode(transaction.signatures[0] ?? new Uint8Array()),
    transaction: Buffer.from(transaction.serialize()).toString('base64'),
    blockhashSlot,
    lastValidBlockHeight,
  };
}

// The runtime's errors for a payer without SOL do not name the payer.

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
