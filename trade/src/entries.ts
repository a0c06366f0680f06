// Decodes records and pool swaps of the launchpad's tokens from transactions.
import type { PublicKey } from '@solana/web3.js';
import {
  associatedTokenAddress,
  decodeRecords,
  type ConfirmedTransaction,
  type Deployment,
} from '@curvekit/sdk';
import { decodeSwaps } from '@curvekit/sdk/feed';
import { recordEntry, swapEntry, type Entry } from './records.js';

/** The address in all transactions of a token, of a wallet, or of a wallet with a token. Undefined for neither. */
export function addressOf(mint: PublicKey | undefined, wallet: PublicKey | undefined): PublicKey | undefined {
  if (mint === undefined || wallet === undefined) return mint ?? wallet;
  return associatedTokenAddress(wallet, mint).address;
}

interface Position {
  readonly signature: string;
  readonly slot: number;
  /** Unix seconds, from the list of signatures. Default: the transaction's. */
  readonly blockTime?: number | null | undefined;
}

/** @returns records, then swaps, each in the order of the transaction */
export function entriesIn(
  transaction: ConfirmedTransaction,
  deployment: Deployment,
  { signature, slot, blockTime }: Position,
): Entry[] {
  const records = decodeRecords(transaction, { deployment }).map(recordEntry);
  const swaps = decodeSwaps(transaction, { deployment }).map(({ data }) => {
    const timestamp = typeof blockTime === 'number' ? BigInt(blockTime) : (data.timestamp ?? null);
    return swapEntry(data, { signature, slot, timestamp });
  });
  return [...records, ...swaps];
}
