// Proofs that a transaction has not landed and never will. Its signer may sign another one only after such a proof.
import type { Connection } from '../chain/types.js';
import { NEWEST_TRANSACTION_VERSION } from '../records/fetch.js';
import { BLOCKHASH_BLOCKS, NOT_KEPT } from './blockhash-life.js';
import type { ExpiredOutcome, SignedTransaction, UnknownOutcome } from './landing.js';
import { askedOf, type Retry } from './requests.js';

/** An RPC node's answers about a transaction, from before the proof. The node found no status. */
export interface ExpirySearch {
  /** Requested before the status. */
  readonly finalized: { readonly height: number; readonly slot: number };
  /** The slot of the answer without a status of the transaction. */
  readonly statusSlot: number;
  /** Whether that answer covers the node's whole history instead of only its recent blocks. */
  readonly searchedHistory: boolean;
  readonly retry: Retry;
  readonly signal: AbortSignal | undefined;
}

/** The result of a proof. `expiring`: too early to decide. `pending`: the blockhash is still valid. */
export type ExpiryResult = { readonly kind: 'expiring' | 'pending' } | ExpiredOutcome | UnknownOutcome;

/** A way to prove that a transaction has expired without landing. */
export interface ExpiryProof<T extends SignedTransaction = SignedTransaction> {
  /** Whether the proof can succeed at a finalized height beyond the last valid one. */
  isDue(finalizedHeight: number, transaction: T): boolean;
  /** @throws the error of a failed request; then nothing is proven */
  examine(transaction: T, search: ExpirySearch): Promise<ExpiryResult>;
}

/**
 * Nodes keep the statuses of 300 finalized blocks. This subtracts the blocks in which the transaction can be, and a
 * margin.
 */
const REMEMBERED_AFTER = 300 - BLOCKHASH_BLOCKS - 50;

/**
 * The proof by block height, which trusts one RPC node. It needs three facts: the height is past the last valid one, a
 * status answer of a later slot does not contain the transaction, and the node has the blocks in which it could be. The
 * slots are compared because one URL can lead to several nodes, some of them behind.
 */
export function blockHeightProof(connection: Connection): ExpiryProof {
  return {
    isDue: () => true,
    async examine({ lastValidBlockHeight }, { finalized, statusSlot, searchedHistory, retry }) {
      if (statusSlot < finalized.slot) return { kind: 'expiring' };
      if (finalized.height <= lastValidBlockHeight + REMEMBERED_AFTER) return { kind: 'expired' };
      const oldestNeeded = lastValidBlockHeight - BLOCKHASH_BLOCKS;
      if (searchedHistory && (await hasBlocksSince(connection, oldestNeeded, retry)))
        return { kind: 'expired' };
      return NOT_KEPT;
    },
  };
}

/** Whether the node's oldest block is at or below that height. */
async function hasBlocksSince(connection: Connection, height: number, retry: Retry): Promise<boolean> {
  // The two requests are repeated together: the oldest block is not stored for long.
  const asked = { ...askedOf(connection, 'getFirstAvailableBlock') };
  const request = async () => {
    asked.method = 'getFirstAvailableBlock';
    const slot = await connection.getFirstAvailableBlock();
    asked.method = 'getBlock';
    const options = {
      transactionDetails: 'none',
      rewards: false,
      maxSupportedTransactionVersion: NEWEST_TRANSACTION_VERSION,
    } as const;
    // web3.js returns the height without declaring it.
    return slot === 0 ? { blockHeight: 0 } : ((await connection.getBlock(slot, options)) as HasHeight);
  };
  const oldest = await retry(request, undefined, asked);
  return typeof oldest?.blockHeight === 'number' && oldest.blockHeight <= Math.max(height, 0);
}

type HasHeight = { readonly blockHeight?: number | null } | null;
