// Sends a stored transaction and follows it to its end, which only the finalized chain decides. Signing another one begins
// with giving this one up, so that takes proof (`history-proof.ts`).
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, SignatureStatus } from '@solana/web3.js';
import { transactionError } from '@curvekit/sdk';
import { HistoryProof, isPast } from '../rpc/history-proof.js';
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

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
const RESEND_AFTER_MS = 2_000;
/** A node that fails this often in a row is given up for now; the stored transaction is followed again later. */
const FAILURES_IN_A_ROW = 8;

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
  const proof = new HistoryProof(connection.rpcEndpoint, isSimulated);
  let sentAt = -Infinity;
  let failures = 0;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      const { blockHeight } = await connection.getEpochInfo('finalized');
      const { value } = await connection.getSignatureStatuses([stored.signature], {
        searchTransactionHistory: true,
      });
      const status = value[0] ?? null;
      if (status !== null) {
        const outcome = outcomeOf(status);
        if (outcome !== undefined) return outcome;
      } else if (blockHeight !== undefined && isPast(blockHeight, stored)) {
        if (await isGone(proof, stored, signal)) return { state: 'expired', problem: null, slot: null };
      }
      failures = 0;
      if (status === null && performance.now() - sentAt >= RESEND_AFTER_MS) {
        sentAt = performance.now();
        await send(connection, bytes);
        await afterSend?.();
      }
    } catch (error) {
      failures += 1;
      if (failures === FAILURES_IN_A_ROW) throw error;
    }
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
}

async function isGone(proof: HistoryProof, stored: StoredTransaction, signal: AbortSignal): Promise<boolean> {
  const verdict = await proof.examine(stored, signal);
  if (verdict.kind === 'unproven') throw new UndecidedError(stored.signature, verdict.reason);
  return verdict.kind === 'gone';
}

function outcomeOf(status: SignatureStatus): Outcome | undefined {
  if (status.confirmationStatus !== 'finalized') return undefined;
  const { slot, err } = status;
  if (err === null) return { state: 'finalized', problem: null, slot };
  return { state: 'failed', problem: transactionError(err).message, slot };
}

/** A refusal tells nothing that the next look would not: the transaction may have landed, or be too late. */
async function send(connection: Connection, bytes: Buffer): Promise<void> {
  await connection.sendRawTransaction(bytes, { skipPreflight: true, maxRetries: 0 }).catch(() => undefined);
}
