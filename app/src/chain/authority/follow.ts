// Sends a stored transaction and follows it to its end, which only the finalized chain decides.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, SignatureStatus } from '@solana/web3.js';
import { transactionError } from '@curvekit/sdk';
import type { FinalState, StoredTransaction } from './repository.js';

/** The end of a transaction. */
export interface Outcome {
  readonly state: FinalState;
  /** Why it failed on chain. */
  readonly problem: string | null;
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Called after each sending. */
  readonly afterSend?: (() => Promise<void> | void) | undefined;
}

/** A sight of a transaction. */
interface Sight {
  readonly status: SignatureStatus | null;
  /** Whether it can't land any more, if it has not landed. */
  readonly tooLate: boolean;
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
 * @throws the abort reason of the signal, or the node's error when it keeps failing; the end is then still open
 */
export async function follow(
  connection: Connection,
  { transaction, signature, lastValidBlockHeight }: StoredTransaction,
  { signal, afterSend }: FollowOptions,
): Promise<Outcome> {
  const bytes = Buffer.from(transaction, 'base64');
  let sentAt = -Infinity;
  let failures = 0;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    signal.throwIfAborted();
    try {
      const { status, tooLate } = await look(connection, signature, lastValidBlockHeight);
      failures = 0;
      const outcome = outcomeOf(status, tooLate);
      if (outcome !== undefined) return outcome;
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

/**
 * The finalized height first: a status of a later slot that does not know the transaction is then the final word. The
 * slots are compared because one address can stand for several nodes, some of them behind.
 */
async function look(connection: Connection, signature: string, lastValidBlockHeight: number): Promise<Sight> {
  const { blockHeight, absoluteSlot } = await connection.getEpochInfo('finalized');
  const { context, value } = await connection.getSignatureStatuses([signature], {
    searchTransactionHistory: true,
  });
  const passed = blockHeight !== undefined && blockHeight > lastValidBlockHeight;
  return { status: value[0] ?? null, tooLate: passed && context.slot >= absoluteSlot };
}

function outcomeOf(status: SignatureStatus | null, tooLate: boolean): Outcome | undefined {
  if (status === null) return tooLate ? { state: 'expired', problem: null } : undefined;
  if (status.confirmationStatus !== 'finalized') return undefined;
  if (status.err === null) return { state: 'finalized', problem: null };
  return { state: 'failed', problem: transactionError(status.err).message };
}

/** A refusal tells nothing that the next look would not: the transaction may have landed, or be too late. */
async function send(connection: Connection, bytes: Buffer): Promise<void> {
  await connection.sendRawTransaction(bytes, { skipPreflight: true, maxRetries: 0 }).catch(() => undefined);
}
