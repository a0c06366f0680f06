// Decodes records and pool swaps of the launchpad's tokens from transactions.
import { PublicKey } from '@solana/web3.js';
import {
  AMM,
  associatedTokenAddress,
  decodeRecords,
  graduatesByItself,
  NATIVE_MINT_ADDRESS,
  poolAddress,
  type ConfirmedTransaction,
  type Deployment,
} from '@curvekit/sdk';
import { recordEntry, swapEntry, type Entry } from './records.js';

/** The address in all transactions of a token, of a wallet, or of a wallet with a token. Undefined for neither. */
export function addressOf(mint: PublicKey | undefined, wallet: PublicKey | undefined): PublicKey | undefined {
  if (mint === undefined || wallet === undefined) return mint ?? wallet;
  return associatedTokenAddress(wallet, mint).address;
}

interface Position {
  readonly signature: string;
  readonly slot: number;
  /** Unix seconds. */
  readonly blockTime?: number | null | undefined;
}

/** @returns records, then swaps, each in the order of the transaction */
export function entriesIn(
  transaction: ConfirmedTransaction,
  deployment: Deployment,
  { signature, slot, blockTime }: Position,
): Entry[] {
  const timestamp = typeof blockTime === 'number' ? BigInt(blockTime) : null;
  const records = decodeRecords(transaction, deployment).map(recordEntry);
  const swaps = mintsIn(transaction, deployment).flatMap((mint) => {
    const pool = AMM.addresses(poolAddress(mint, deployment).address, mint);
    return AMM.swaps(transaction, pool).map((swap) => swapEntry(mint, swap, { signature, slot, timestamp }));
  });
  return [...records, ...swaps];
}

/** Tokens that may have been swapped in a pool of this launchpad: those in the token balances. */
function mintsIn({ meta }: ConfirmedTransaction, deployment: Deployment): PublicKey[] {
  if (!graduatesByItself(deployment)) return [];
  // RPC nodes return the mint of each balance. The SDK's type leaves it out, because records do not need it.
  const balances = (meta?.preTokenBalances ?? []) as readonly { readonly mint?: string }[];
  const mints = new Set(balances.flatMap(({ mint }) => (mint === undefined ? [] : [mint])));
  mints.delete(NATIVE_MINT_ADDRESS.toBase58());
  return [...mints].map((mint) => new PublicKey(mint));
}
