// Asks an RPC node for the outcome of signed transactions.
import type { Connection, RpcResponseAndContext, SignatureStatus } from '../chain/types.js';
import { notA } from '../errors/base.js';
import { requireObject } from '../checks/options.js';
import { ask } from '../rpc/ask.js';
import { requireConnection } from '../rpc/reading.js';
import { isWithoutHistory } from '../rpc/refusals.js';
import { blockHeightProof, type ExpiryProof } from './expiry-proof.js';
import { landedAt, type Landing, type SignedTransaction } from './landing.js';
import { nonceProof } from './nonce-proof.js';
import { askedOf, type Retry } from './requests.js';

/** Options of a look-up. */
export interface LandingLookOptions<T extends SignedTransaction = SignedTransaction> {
  /** Default {@link blockHeightProof}; {@link nonceProof} for a transaction with a nonce. */
  readonly proof?: ExpiryProof<T> | undefined;
  /** Default: each request has 30 s, and three retries. */
  readonly retry?: Retry | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of one look-up. */
export interface LandingLook {
  readonly landing: Landing;
  /** Grows while the node reports something new: the finalized block height, up to the last valid one. */
  readonly progress: number;
}

/** A timeout, and three retries. */
export const limited: Retry = (request, _limitMs, asked = { method: 'look-up', endpoint: undefined }) =>
  ask(asked, request, {});

/**
 * Looks up one transaction. After its blockhash has expired, it searches the node's history, and only then runs the proof:
 * a status answer of a later slot than the finalized height's, without the transaction, is conclusive.
 */
export async function lookForLanding<T extends SignedTransaction>(
  connection: Connection,
  transaction: T,
  options: LandingLookOptions<T> = {},
): Promise<LandingLook> {
  requireConnection(connection);
  requireObject('transaction', transaction);
  requireObject('options', options);
  const { signature, lastValidBlockHeight, nonce } = transaction;
  const usual = nonce === undefined ? blockHeightProof(connection) : nonceProof(connection);
  const { proof = usual, retry = limited, signal } = options;
  const found = (await statusOf(connection, signature, false, retry)).answer.value[0] ?? null;
  const landed = found && landedAt(found);
  // Only a processed block can be dropped in a reorg.
  if (landed !== null && landed.commitment !== 'processed')
    return { landing: landed, progress: lastValidBlockHeight };
  const finalized = await finalizedHeight(connection, retry);
  const { height } = finalized;
  // A new block brings a transaction with a nonce no nearer to its end.
  const progress = nonce === undefined ? Math.min(height, lastValidBlockHeight) : 0;
  if (landed !== null) return { landing: landed, progress };
  if (nonce === undefined && height <= lastValidBlockHeight)
    return { landing: { kind: 'pending' }, progress };
  const { answer, searchedHistory } = await statusOf(connection, signature, true, retry);
  const status = answer.value[0] ?? null;
  if (status !== null) return { landing: landedAt(status), progress };
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
  options: Pick<LandingLookOptions, 'retry'> = {},
): Promise<{ readonly landings: Landing[]; readonly height: number }> {
  requireConnection(connection);
  const given: unknown = transactions;
  if (!Array.isArray(given)) throw notA('transactions', 'a list', transactions);
  requireObject('options', options);
  const { retry = limited } = options;
  const { height } = await finalizedHeight(connection, retry);
  const signatures = transactions.map(({ signature }) => signature);
  const { value } = await retry(
    () => connection.getSignatureStatuses(signatures),
    undefined,
    askedOf(connection, 'getSignatureStatuses'),
  );
  const landings = transactions.map(({ lastValidBlockHeight }, index): Landing => {
    const status = value[index] ?? null;
    if (status !== null) return landedAt(status);
    return { kind: height > lastValidBlockHeight ? 'expiring' : 'pending' };
  });
  return { landings, height };
}

export async function finalizedHeight(
  connection: Connection,
  retry: Retry,
): Promise<{ height: number; slot: number }> {
  const { blockHeight: height = 0, absoluteSlot: slot } = await retry(
    () => connection.getEpochInfo('finalized'),
    undefined,
    askedOf(connection, 'getEpochInfo'),
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
    retry(
      () => connection.getSignatureStatuses([signature], { searchTransactionHistory: search }),
      undefined,
      askedOf(connection, 'getSignatureStatuses'),
    );
  try {
    const answer = await statuses(searchTransactionHistory);
    return { answer, searchedHistory: searchTransactionHistory };
  } catch (error) {
    if (!isWithoutHistory(error)) throw error;
    return { answer: await statuses(false), searchedHistory: false };
  }
}
