// Sends a stored transaction and tracks it until it is finalized or expired. A replacement is signed only after proof that
// this transaction expired (`history-proof.ts`).
import { landingLook, trackLanding, transactionError } from '@curvekit/sdk';
import type { Context } from '../context.js';
import { HistoryProof } from '../chain/history-proof.js';
import { inTrace, nameTransaction, withoutSpans } from '../base/tracing/spans.js';
import type { FinalState, StoredTransaction } from './repository.js';

export interface Outcome {
  readonly state: FinalState;
  /** Why it failed on chain. */
  readonly problem: string | null;
  /** Slot of its block; null when it did not land. */
  readonly slot: number | null;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Called after each time the transaction was sent. */
  readonly afterSend?: (() => Promise<void> | void) | undefined;
}

/** The RPC node cannot decide whether a transaction landed: it lacks the transaction and some blocks that could contain it. */
export class UndecidedError extends Error {
  override readonly name = 'UndecidedError';

  constructor(signature: string, reason: string) {
    super(
      `it is not proven that transaction ${signature} did not land: ${reason}. Until then no other transaction is signed. Run the command again with RPC_URL set to a node with the whole history`,
    );
  }
}

const PAUSES = { firstMs: 50, longestMs: 1_000 };
/** Timeout for an RPC node that does not answer. The stored transaction is tracked again later. */
const FAILURE_TIMEOUT_MS = 5_000;
/** Timeout for a cluster that makes no blocks. */
const STALL_TIMEOUT_MS = 3_600_000;

/**
 * Sends a transaction repeatedly until it is finalized or expired. An earlier process may have sent it already: the same
 * signature never lands twice.
 *
 * @throws UndecidedError when the RPC node cannot prove either
 * @throws the abort reason of the signal, or the RPC node's error when it keeps failing; then the outcome is unknown
 */
export function follow(
  context: Context,
  stored: StoredTransaction,
  options: FollowOptions,
): Promise<Outcome> {
  nameTransaction(stored.signature);
  return inTrace('land', {}, () => withoutSpans(() => track(context, stored, options)));
}

async function track(
  { config, connection }: Context,
  stored: StoredTransaction,
  { signal, afterSend }: FollowOptions,
): Promise<Outcome> {
  const bytes = Buffer.from(stored.transaction, 'base64');
  const look = landingLook(connection, stored, {
    proof: new HistoryProof(connection.rpcEndpoint, config.isSimulated),
    signal,
  });
  let isSent = false;
  const outcome = await trackLanding({
    commitment: 'finalized',
    // An error of the hook ends the tracking. An error while sending does not.
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
