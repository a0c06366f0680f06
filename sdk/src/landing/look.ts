// Asks an RPC node for the outcome of signed transactions.
import type { Connection, RpcResponseAndContext, SignatureStatus } from '@solana/web3.js';
import { isWithoutHistory } from '../rpc-errors.js';
import { blockHeightProof, type ExpiryProof } from './expiry-proof.js';
import { landedAt, type Landing, type SignedTransaction } from './landing.js';
import type { Retry } from './requests.js';

/** Options of a look-up. */
export interface LandingLookOptions<T extends SignedTransaction = SignedTransaction> {
  /** Default {@link blockHeightProof}. */
  readonly proof?: ExpiryProof<T> | undefined;
  /** Default: each request is made once. */
  readonly retry?: Retry | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of one look-up. */
export interface LandingLook {
  readonly landing: Landing;
  /** Grows while the node reports something new: the finalized block height, up to the last valid one. */
  readonly progress: number;
}

const tryOnce: Retry = (request) => request();

/**
 * Looks up one transaction. After its blockhash has expired, it also searches the node's history, and only then runs
 * the proof. It requests the finalized height first, so that a status answer of a later slot without the transaction is
 * conclusive.
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
 * Looks up to 256 transactions in the node's recent blocks, with two requests. A transaction whose blockhash has
 * expired is `expiring`, never `expired`: use {@link lookForLanding} to decide it.
 *
 * @returns landings in the order of the transactions, and the finalized block height: see `isDue` of an
 *   {@link ExpiryProof}
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

/** A node without history knows only the statuses of its last blocks. */
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
