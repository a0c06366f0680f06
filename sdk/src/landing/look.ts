// Asks an RPC node what became of signed transactions.
import type { Connection, RpcResponseAndContext, SignatureStatus } from '@solana/web3.js';
import { isWithoutHistory } from '../rpc-errors.js';
import { blockHeightProof, type ExpiryProof } from './expiry-proof.js';
import { landedAt, type Landing, type SignedTransaction } from './landing.js';
import type { Retry } from './requests.js';

/** How to look. */
export interface LandingLookOptions<T extends SignedTransaction = SignedTransaction> {
  /** {@link blockHeightProof} when left out. */
  readonly proof?: ExpiryProof<T> | undefined;
  /** Makes each request once when left out. */
  readonly retry?: Retry | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What one look found. */
export interface LandingLook {
  readonly landing: Landing;
  /** Grows while the node tells something new: the finalized block height, up to the last valid one. */
  readonly progress: number;
}

const tryOnce: Retry = (request) => request();

/**
 * Looks for one transaction, in the node's history as well once its blockhash has expired. Only then the proof is asked for.
 * The finalized height comes first: a status of a later slot that does not know the transaction is then conclusive.
 */
export async function lookForLanding<T extends SignedTransaction>(
  connection: Connection,
  transaction: T,
  { proof = blockHeightProof(connection), retry = tryOnce, signal }: LandingLookOptions<T> = {},
): Promise<LandingLook> {
  const finalized = await finalizedHeight(connection, retry);
  const { height } = finalized;
  const hasPassed = height > transaction.lastValidBlockHeight;
  const { answer, searchedHistory } = await statusOf(connection, transaction.signature, hasPassed, retry);
  const status = answer.value[0] ?? null;
  const progress = Math.min(height, transaction.lastValidBlockHeight);
  if (status !== null) return { landing: landedAt(status), progress };
  if (!hasPassed) return { landing: { kind: 'pending' }, progress };
  if (!proof.isDue(height, transaction)) return { landing: { kind: 'expiring' }, progress };
  const search = { finalized, statusSlot: answer.context.slot, searchedHistory, retry, signal };
  return { landing: await proof.examine(transaction, search), progress };
}

/**
 * Looks for up to 256 transactions in the node's recent blocks, with two requests. One whose blockhash has expired is
 * `expiring`, never `expired`: {@link lookForLanding} decides it.
 *
 * @returns landings in the order of the transactions, and the finalized block height: see `isDue` of an {@link ExpiryProof}
 */
export async function lookForRecentLandings(
  connection: Connection,
  transactions: readonly SignedTransaction[],
  { retry = tryOnce }: Pick<LandingLookOptions, 'retry'> = {},
): Promise<{ readonly landings: Landing[]; readonly height: number }> {
  const { height } = await finalizedHeight(connection, retry);
  const signatures = transactions.map(({ signature }) => signature);
  const { value } = await retry(() => connection.getSignatureStatuses(signatures));
  const landings = transactions.map(({ lastValidBlockHeight }, index): Landing => {
    const status = value[index] ?? null;
    if (status !== null) return landedAt(status);
    return { kind: height > lastValidBlockHeight ? 'expiring' : 'pending' };
  });
  return { landings, height };
}

async function finalizedHeight(
  connection: Connection,
  retry: Retry,
): Promise<{ height: number; slot: number }> {
  const { blockHeight: height = 0, absoluteSlot: slot } = await retry(() =>
    connection.getEpochInfo('finalized'),
  );
  return { height, slot };
}

/** A node without history knows the statuses of the last blocks only. */
async function statusOf(
  connection: Connection,
  signature: string,
  searchTransactionHistory: boolean,
  retry: Retry,
): Promise<{ answer: RpcResponseAndContext<(SignatureStatus | null)[]>; searchedHistory: boolean }> {
  const statuses = (search: boolean) =>
    retry(() => connection.getSignatureStatuses([signature], { searchTransactionHistory: search }));
  try {
    const answer = await statuses(searchTransactionHistory);
    return { answer, searchedHistory: searchTransactionHistory };
  } catch (error) {
    if (!isWithoutHistory(error)) throw error;
    return { answer: await statuses(false), searchedHistory: false };
  }
}
