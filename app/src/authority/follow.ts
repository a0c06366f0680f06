// Sends a stored transaction and follows it to its end, which only the finalized chain decides. Signing another one begins
// with giving this one up, so that takes proof (`history-proof.ts`).
import type { Connection } from '@solana/web3.js';
import { landingLook, trackLanding, transactionError } from '@curvekit/sdk';
import { HistoryProof } from '../rpc/history-proof.js';
import type { FinalState, StoredTransaction } from './repository.js';

/** The end of a transaction. */
export interface Outcome {
  readonly state: FinalState;
  /** Why it failed on chain. */
  readonly problem: string | null;
  /** Of the block that it is in; null when it is in none. */
  readonly slot: number | null;
}

export interface FollowOptions {
  /** Whether the configuration says that the cluster is a simulation. */
  readonly isSimulated: boolean;
  readonly signal: AbortSignal;
  /** Called after each sending. */
  readonly afterSend?: (() => Promise<void> | void) | undefined;
}

/** Whether a transaction landed cannot be told: the node neither knows it nor has all the blocks it could be in. */
export class UndecidedError extends Error {
  override readonly name = 'UndecidedError';

  constructor(signature: string, reason: string) {
    super(
      `nothing proves that the transaction ${signature} did not land: ${reason}; no other one is signed before that is known. Run it again with RPC_URL set to a node with the whole history`,
    );
  }
}

const PAUSES = { firstMs: 50, longestMs: 1_000 };
/** A node that does not answer for so long is given up for now; the stored transaction is followed again later. */
const FAILURE_TIMEOUT_MS = 5_000;
/** A cluster that makes no blocks is waited for. */
const STALL_TIMEOUT_MS = 3_600_000;

/**
 * Sends a transaction, again and again, until it is finalized or can't land any more. It may have been sent before, by a
 * process that is gone: the same signature never lands twice.
 *
 * @throws UndecidedError when the node can't tell
 * @throws the abort reason of the signal, or the node's error when it keeps failing; the end is then still open
 */
export async function follow(
  connection: Connection,
  stored: StoredTransaction,
  { isSimulated, signal, afterSend }: FollowOptions,
): Promise<Outcome> {
  const bytes = Buffer.from(stored.transaction, 'base64');
  const look = landingLook(connection, stored, {
    proof: new HistoryProof(connection.rpcEndpoint, isSimulated),
    signal,
  });
  let isSent = false;
  const outcome = await trackLanding({
    commitment: 'finalized',
    // What the hook throws ends the tracking, as an error of sending does not.
    look: async (retry) => {
      if (isSent) await afterSend?.();
      isSent = false;
      return look(retry);
    },
    send: async () => {
      isSent = true;
      await connection.sendRawTransaction(bytes, { skipPreflight: true, maxRetries: 0 });
    },
    looksFirst: true,
    pauses: PAUSES,
    failureTimeoutMs: FAILURE_TIMEOUT_MS,
    stallTimeoutMs: STALL_TIMEOUT_MS,
    signal,
  });
  switch (outcome.kind) {
    case 'landed':
      return outcome.err === null
        ? { state: 'finalized', problem: null, slot: outcome.slot }
        : { state: 'failed', problem: transactionError(outcome.err).message, slot: outcome.slot };
    case 'expired':
      return { state: 'expired', problem: null, slot: null };
    case 'unknown':
      throw outcome.cause instanceof Error
        ? outcome.cause
        : new UndecidedError(stored.signature, outcome.reason);
  }
}
