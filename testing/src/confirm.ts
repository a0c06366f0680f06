// Sends transactions to a local cluster. Some clusters make no blocks while idle, so block heights cannot prove expiry.
// A simulation can.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, VersionedTransaction, VersionedTransactionResponse } from '@solana/web3.js';
import {
  type FailureContext,
  type Landing,
  NEWEST_TRANSACTION_VERSION,
  sendError,
  trackLanding,
  TransactionError,
  transactionError,
  TransactionExpiredError,
  unsupportedVersion,
} from '@curvekit/sdk';
import { ClusterRequestError } from './errors.js';

/** JSON-RPC error code of a node that cannot encode a transaction of this version. */
const UNSUPPORTED_VERSION = -32015;

/** Surfpool has confirmed the transaction at the first look, a validator after half a second. */
const PAUSES = { firstMs: 2, longestMs: 50 };

/** Time to wait for a transaction that landed in the last possible block. */
const INDEXING_GRACE_MS = 500;

/** How long to wait for a transaction. */
export interface DeliveryLimits {
  readonly timeoutMs: number;
  /** How long it may stay unseen before it is simulated, to find out why, and sent again. */
  readonly resendAfterMs: number;
}

/**
 * Sends a signed transaction without a preflight and waits until it is confirmed, whether it succeeded or failed.
 *
 * @throws TransactionExpiredError when its blockhash expired before it landed. It can never land.
 * @throws TransactionError when the cluster refuses it (for example without funds for the fee), or at the timeout.
 * @throws UnreadableTransactionError when it landed but the cluster cannot encode its version as JSON.
 */
export async function deliver(
  connection: Connection,
  transaction: VersionedTransaction,
  signature: string,
  { timeoutMs, resendAfterMs }: DeliveryLimits,
): Promise<VersionedTransactionResponse> {
  const context = { instructions: transaction, signature };
  const deadline = Date.now() + timeoutMs;
  let refusal: Error | undefined;
  let found: VersionedTransactionResponse | null = null;
  let examineAt = Date.now() + resendAfterMs;
  const look = async (): Promise<Landing> => {
    // Only the first attempt's refusal is final. Later the cluster can refuse a transaction that it has just processed.
    if (refusal !== undefined) throw refusal;
    found = await find(connection, signature);
    if (found !== null) return landed(found);
    if (Date.now() > deadline) return { kind: 'unknown', reason: 'timeout' };
    if (Date.now() < examineAt) return { kind: 'pending' };
    examineAt = Date.now() + resendAfterMs;
    const obstacle = await findObstacle(connection, transaction);
    if (obstacle === undefined) return { kind: 'pending' };
    if (obstacle !== 'BlockhashNotFound') throw transactionError(obstacle, context);
    await sleep(INDEXING_GRACE_MS);
    found = await find(connection, signature);
    return found === null ? { kind: 'expired' } : landed(found);
  };
  const { kind } = await trackLanding({
    pauses: PAUSES,
    resendAfterMs,
    stallTimeoutMs: timeoutMs,
    look: async () => ({ landing: await look(), progress: 0 }),
    send: async (attempt) => {
      await broadcast(connection, transaction, context).catch((error: Error) => {
        if (attempt === 0) refusal = error;
      });
    },
  });
  if (found !== null) return found;
  if (kind === 'expired') throw new TransactionExpiredError(signature, await connection.getBlockHeight());
  throw new TransactionError('Timeout', `${signature} was not confirmed within ${timeoutMs} ms`, {
    signature,
  });
}

function landed({ slot, meta }: VersionedTransactionResponse): Landing {
  return { kind: 'landed', slot, err: meta?.err ?? null, commitment: 'confirmed' };
}

async function broadcast(
  connection: Connection,
  transaction: VersionedTransaction,
  context: FailureContext,
): Promise<void> {
  try {
    await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true, maxRetries: 0 });
  } catch (cause) {
    const refusal = sendError(cause, context);
    if (refusal !== undefined) throw refusal;
    throw new ClusterRequestError('sendTransaction', connection.rpcEndpoint, (cause as Error).message, {
      cause,
    });
  }
}

async function find(connection: Connection, signature: string): Promise<VersionedTransactionResponse | null> {
  try {
    return await connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: NEWEST_TRANSACTION_VERSION,
    });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === UNSUPPORTED_VERSION)
      throw unsupportedVersion(signature, (error as Error).message);
    throw error;
  }
}

/** The runtime's reason why a transaction cannot land. Undefined when it can land, even if it then fails. */
async function findObstacle(connection: Connection, transaction: VersionedTransaction): Promise<unknown> {
  const error = await connection.simulateTransaction(transaction, { sigVerify: true }).then(
    ({ value }) => value.err,
    // For example the cluster has just processed it. The next look will find it.
    () => null,
  );
  if (error === null || error === 'AlreadyProcessed') return undefined;
  return typeof error === 'object' && 'InstructionError' in error ? undefined : error;
}
