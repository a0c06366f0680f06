// Sends a signed transaction and waits for it. A caller that is told of a failure may sign another one, so failures and
// expiry are reported only when they are final as far as the node can say.
import type { Connection } from '@solana/web3.js';
import { fetchTransaction } from '../confirmed-transaction.js';
import { OutcomeUnknownError, TransactionExpiredError, type TransactionError } from '../errors.js';
import { signatureOf } from '../signature.js';
import { withTimeout } from '../timeout.js';
import { confirmedError, sendError, transactionError, type FailureContext } from '../transaction-errors.js';
import type { PreparedTransaction, TransactionOptions } from '../transactions.js';
import type { LandingCommitment } from './landing.js';
import { landingLook, trackLanding } from './track.js';
import type { ExpiryProof } from './expiry-proof.js';

/** How long to wait for a transaction, and for what. */
export interface ConfirmOptions extends TransactionOptions {
  readonly commitment?: LandingCommitment | undefined;
  /** Skips the RPC node's own simulation, for one that {@link prepareTransaction} has just done. */
  readonly skipPreflight?: boolean | undefined;
  /** How long to go on with a node that does not answer, or tells nothing new. 120,000 ms by default. */
  readonly stallTimeoutMs?: number | undefined;
  /** What proves that the transaction has expired. {@link blockHeightProof} by default. */
  readonly proof?: ExpiryProof | undefined;
}

const FAILURE_TIMEOUT_MS = 10_000;

/**
 * Sends a signed transaction and waits until it has the commitment, `confirmed` by default. It is sent again while it
 * waits: nodes drop transactions under load, and the same signature never lands twice. For the same reason it may be
 * called again with a transaction that was sent before: it finds that one.
 *
 * An error on chain counts from `confirmed` on, an expiry when it is finalized, which takes some 13 s more. A refusal by
 * the preflight is of this sending: one that another call sent before can land until its last valid block height.
 *
 * @returns its signature and slot
 * @throws TransactionError (ProgramError, FrameworkError, InstructionError) when it fails
 * @throws TransactionExpiredError when its blockhash expired: it can never land
 * @throws OutcomeUnknownError when the node does not tell: it may have landed, or still land
 * @throws InvalidArgumentError for a transaction that is not signed
 */
export async function sendAndConfirm(
  connection: Connection,
  { transaction, lastValidBlockHeight }: Pick<PreparedTransaction, 'transaction' | 'lastValidBlockHeight'>,
  { commitment = 'confirmed', skipPreflight = false, deployment, stallTimeoutMs, proof }: ConfirmOptions = {},
): Promise<{ signature: string; slot: number }> {
  const signature = signatureOf(transaction);
  const bytes = transaction.serialize();
  const context: FailureContext = { instructions: transaction, deployment, signature };
  const look = landingLook(connection, { signature, lastValidBlockHeight }, { proof });
  /** What the preflight found wrong. */
  let refusal: TransactionError | undefined;
  const outcome = await trackLanding({
    commitment,
    stallTimeoutMs,
    send: async (attempt) => {
      const skip = skipPreflight || attempt > 0;
      const options = { skipPreflight: skip, preflightCommitment: commitment, maxRetries: 0 };
      try {
        await connection.sendRawTransaction(bytes, options);
      } catch (error) {
        if (attempt === 0) refusal = refusalIn(error, context);
        throw error;
      }
    },
    look: async (retry) => {
      const found = await look(retry);
      const { kind } = found.landing;
      // A transaction that was refused and yet landed had been sent before.
      if (kind === 'landed') refusal = undefined;
      else if (refusal !== undefined && (kind === 'pending' || kind === 'expired')) throw refusal;
      return found;
    },
  });
  if (outcome.kind === 'expired') {
    throw new TransactionExpiredError(signature, lastValidBlockHeight, outcome.cause);
  }
  if (outcome.kind === 'unknown') throw new OutcomeUnknownError(signature, outcome.reason, outcome.cause);
  if (outcome.err !== null) throw await failure(connection, outcome.err, context);
  return { signature, slot: outcome.slot };
}

const ALREADY_PROCESSED = /already been processed|AlreadyProcessed/i;
/** What a node answers for reasons of its own. */
const OUTAGE =
  /node is (unhealthy|behind)|^internal error|rate limit|too many requests|minimum context slot|timed? ?out/i;

/** What the node found wrong with the transaction; undefined when it has it already, or did not look at it. */
function refusalIn(error: unknown, context: FailureContext): TransactionError | undefined {
  const refusal = sendError(error, context);
  if (refusal === undefined || ALREADY_PROCESSED.test(refusal.reason) || OUTAGE.test(refusal.reason))
    return undefined;
  return refusal;
}

/** The log names the program that failed. Without a log the instruction's program is named. */
async function failure(connection: Connection, err: unknown, context: FailureContext): Promise<Error> {
  const fetching = fetchTransaction(connection, context.signature ?? '', 'confirmed');
  const response = await withTimeout(fetching, FAILURE_TIMEOUT_MS, 'the RPC node').catch(() => null);
  const error = response === null ? null : confirmedError(response, context);
  return error ?? transactionError(err, context);
}
