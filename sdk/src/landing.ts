// What a node can say of a transaction: that it landed, or how sure it is that it did not.
import type { Connection, RpcResponseAndContext, SignatureStatus } from '@solana/web3.js';
import { NEWEST_TRANSACTION_VERSION } from './confirmed-transaction.js';
import { isWithoutHistory } from './rpc-errors.js';

/** A blockhash is good for so many blocks after its own. */
const BLOCKHASH_BLOCKS = 150;
/** Nodes remember the statuses of 300 finalized blocks; beyond those that a transaction can be in, with a margin. */
const REMEMBERED_AFTER = 300 - BLOCKHASH_BLOCKS - 50;

/** What it means that a node has no status of a transaction. */
export type Absence =
  /** It may still land. */
  | 'so far'
  /** It never will. */
  | 'for good'
  /** This answer is of an earlier time than its expiry; the next may tell. */
  | 'uncertain'
  /** The node does not keep the blocks that it could be in. */
  | 'forgotten';

/** A sight of a transaction. */
export interface Sight {
  readonly status: SignatureStatus | null;
  readonly absence: Absence;
  /** The finalized block height. */
  readonly height: number;
}

/** Makes a request, again and again if need be; passes on that there is no history. */
export type Ask = <T>(request: () => Promise<T>) => Promise<T>;

/**
 * Looks for a transaction. The finalized height comes first: a status of a later slot that does not know the transaction
 * is then the final word. The slots are compared because one address can stand for several nodes, some of them behind.
 */
export async function lookFor(
  connection: Connection,
  signature: string,
  lastValidBlockHeight: number,
  ask: Ask,
): Promise<Sight> {
  const { blockHeight: height = 0, absoluteSlot } = await ask(() => connection.getEpochInfo('finalized'));
  const hasPassed = height > lastValidBlockHeight;
  const { answer, keepsHistory } = await statusOf(connection, signature, hasPassed, ask);
  const status = answer.value[0] ?? null;
  const absence = async (): Promise<Absence> => {
    if (!hasPassed) return 'so far';
    if (answer.context.slot < absoluteSlot) return 'uncertain';
    if (height <= lastValidBlockHeight + REMEMBERED_AFTER) return 'for good';
    if (!keepsHistory) return 'forgotten';
    return (await reachesBack(connection, lastValidBlockHeight - BLOCKHASH_BLOCKS, ask))
      ? 'for good'
      : 'forgotten';
  };
  return { status, absence: status === null ? await absence() : 'uncertain', height };
}

/** Without its history a node tells of the last blocks alone. */
async function statusOf(
  connection: Connection,
  signature: string,
  searchTransactionHistory: boolean,
  ask: Ask,
): Promise<{ answer: RpcResponseAndContext<(SignatureStatus | null)[]>; keepsHistory: boolean }> {
  const statuses = (search: boolean) =>
    ask(() => connection.getSignatureStatuses([signature], { searchTransactionHistory: search }));
  try {
    return { answer: await statuses(searchTransactionHistory), keepsHistory: true };
  } catch (error) {
    if (!isWithoutHistory(error)) throw error;
    return { answer: await statuses(false), keepsHistory: false };
  }
}

/** Whether the node's oldest block is not newer than that height. */
async function reachesBack(connection: Connection, height: number, ask: Ask): Promise<boolean> {
  const oldest = await ask(async () => {
    const slot = await connection.getFirstAvailableBlock();
    const options = {
      transactionDetails: 'none',
      rewards: false,
      maxSupportedTransactionVersion: NEWEST_TRANSACTION_VERSION,
    } as const;
    // web3.js returns the height without declaring it.
    return slot === 0 ? { blockHeight: 0 } : ((await connection.getBlock(slot, options)) as HasHeight);
  });
  return typeof oldest?.blockHeight === 'number' && oldest.blockHeight <= Math.max(height, 0);
}

type HasHeight = { readonly blockHeight?: number | null } | null;
