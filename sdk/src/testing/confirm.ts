import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, VersionedTransaction, VersionedTransactionResponse } from '@solana/web3.js';
import { NEWEST_TRANSACTION_VERSION } from '../confirmed-transaction.js';
import { TransactionError, TransactionExpiredError } from '../errors.js';
import { sendError, transactionError, type FailureContext } from '../transaction-errors.js';
import { ClusterRequestError } from './errors.js';

/** Surfpool has the transaction ready by the first look, a validator after half a second. */
const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/** Time for a transaction in the last block before its expiry to show up. */
const INDEXING_GRACE_MS = 500;

/** How long to wait for a confirmation. */
export interface Patience {
  readonly timeoutMs: number;
  /** After how long without a trace to ask the cluster what is wrong, and to send the transaction once more. */
  readonly doubtAfterMs: number;
}

/**
 * Sends a signed transaction without a preflight and waits until it is confirmed, whether it succeeded or failed.
 * Unlike `sendAndConfirm` it doesn't wait for the expiry of one that can't land: on a cluster that makes no blocks of
 * its own there is none.
 *
 * @throws TransactionExpiredError when its blockhash ran out before it landed; it never will.
 * @throws TransactionError when the cluster won't take it (no funds for the fee, say), or at the timeout.
 */
export async function deliver(
  connection: Connection,
  transaction: VersionedTransaction,
  signature: string,
  { timeoutMs, doubtAfterMs }: Patience,
): Promise<VersionedTransactionResponse> {
  const context = { instructions: transaction, signature };
  await broadcast(connection, transaction, context);
  const deadline = Date.now() + timeoutMs;
  let doubtAt = Date.now() + doubtAfterMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const landed = await find(connection, signature);
    if (landed !== null) return landed;
    if (Date.now() > deadline) {
      throw new TransactionError('Timeout', `${signature} was not confirmed within ${timeoutMs} ms`, {
        signature,
      });
    }
    if (Date.now() > doubtAt) {
      const obstacle = await findObstacle(connection, transaction);
      if (obstacle === 'BlockhashNotFound') {
        await sleep(INDEXING_GRACE_MS);
        const late = await find(connection, signature);
        if (late !== null) return late;
        throw new TransactionExpiredError(signature, await connection.getBlockHeight());
      }
      if (obstacle !== undefined) throw transactionError(obstacle, context);
      // It may have been lost on the way. The cluster refuses one that it has processed meanwhile, which is fine.
      await broadcast(connection, transaction, context).catch(() => undefined);
      doubtAt = Date.now() + doubtAfterMs;
    }
    await sleep(pause);
  }
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

function find(connection: Connection, signature: string): Promise<VersionedTransactionResponse | null> {
  return connection.getTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: NEWEST_TRANSACTION_VERSION,
  });
}

/** Why a transaction can't even land, as the runtime says it; undefined when it can, be it to fail there. */
async function findObstacle(connection: Connection, transaction: VersionedTransaction): Promise<unknown> {
  const error = await connection.simulateTransaction(transaction, { sigVerify: true }).then(
    ({ value }) => value.err,
    // Such as one that the cluster has just processed: the next look finds it.
    () => null,
  );
  if (error === null || error === 'AlreadyProcessed') return undefined;
  return typeof error === 'object' && 'InstructionError' in error ? undefined : error;
}
