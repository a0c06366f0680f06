// Sends a signed transaction and waits for it. A caller that is told of a failure may sign another one, so failures and
// expiry are reported only when they are final as far as the node can say.
import type { Connection, SendOptions } from '@solana/web3.js';
import type { TransactionError } from '../errors.js';
import { signatureOf } from '../signature.js';
import { sendError, type FailureContext } from '../transaction-errors.js';
import type { PreparedTransaction, TransactionOptions } from '../transactions.js';
import type { LandingCommitment } from './landing.js';
import { requireLanded } from './require-landed.js';
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
  /** Stops the waiting. What was sent may still land. */
  readonly signal?: AbortSignal | undefined;
  /** Sends the bytes, each time. To the RPC node of the connection by default. */
  readonly send?: ((bytes: Uint8Array, options: SendOptions) => Promise<unknown>) | undefined;
}

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
 * @throws the signal's reason
 */
export async function sendAndConfirm(
  connection: Connection,
  { transaction, lastValidBlockHeight }: Pick<PreparedTransaction, 'transaction' | 'lastValidBlockHeight'>,
  options: ConfirmOptions = {},
): Promise<{ signature: string; slot: number }> {
  const { commitment = 'confirmed', skipPreflight = false, deployment, stallTimeoutMs, proof } = options;
  const { signal, send = (raw, config) => connection.sendRawTransaction(raw, config) } = options;
  const signature = signatureOf(transaction);
  const bytes = transaction.serialize();
  const context: FailureContext = { instructions: transaction, deployment, signature };
  const look = landingLook(connection, { signature, lastValidBlockHeight }, { proof });
  /** What the preflight found wrong. */
  let refusal: TransactionError | undefined;
  const outcome = await trackLanding({
    commitment,
    stallTimeoutMs,
    signal,
    send: async (attempt) => {
      const skip = skipPreflight || attempt > 0;
      try {
        await send(bytes, { skipPreflight: skip, preflightCommitment: commitment, maxRetries: 0 });
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
  const { slot } = await requireLanded(connection, outcome, { signature, lastValidBlockHeight }, context);
  return { signature, slot };
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
