// Sends a signed transaction and waits for it. After a failure the caller may sign another one, so failures and expiry
// are reported only when they are final, as far as the node knows.
import type { Connection, SendOptions } from '../chain/types.js';
import { requireKnown, requireObject, type OptionNames } from '../checks/options.js';
import type { TransactionError } from '../errors/index.js';
import { requireConnection } from '../rpc/reading.js';
import type { FailureContext } from '../transactions/errors.js';
import type { PreparedTransaction, TransactionOptions } from '../transactions/prepare.js';
import { signatureOf } from '../transactions/signature.js';
import type { ExpiryProof } from './expiry-proof.js';
import type { LandingCommitment, SignedTransaction } from './landing.js';
import { refusalIn } from './refusal.js';
import { askedOf, sendTo, type Retry } from './requests.js';
import { requireLanded } from './require-landed.js';
import { landingLook, requireStallTimeout, track } from './track.js';

/** Options for waiting for a transaction. */
export interface ConfirmOptions extends TransactionOptions {
  readonly commitment?: LandingCommitment | undefined;
  /** Skips the RPC node's own simulation. Useful after {@link prepareTransaction}, which has just simulated. */
  readonly skipPreflight?: boolean | undefined;
  /** How long to continue with a node that does not answer or reports nothing new. Default 120,000 ms. */
  readonly stallTimeoutMs?: number | undefined;
  /** Proves that the transaction has expired. Default {@link blockHeightProof}, or {@link nonceProof}. */
  readonly proof?: ExpiryProof | undefined;
  /** Aborts the waiting. A sent transaction may still land. */
  readonly signal?: AbortSignal | undefined;
  /** Sends the bytes, on each attempt. Default: to the connection's RPC node. */
  readonly send?: ((bytes: Uint8Array, options: SendOptions) => Promise<unknown>) | undefined;
}

const CONFIRM_OPTIONS = {
  commitment: true,
  deployment: true,
  skipPreflight: true,
  stallTimeoutMs: true,
  proof: true,
  signal: true,
  send: true,
} as const satisfies OptionNames<ConfirmOptions>;

/**
 * Sends a signed transaction and waits until it has the commitment, `confirmed` by default. It resends the transaction
 * while it waits, because nodes drop transactions under load. The same signature never lands twice. So you may also
 * call it again with a transaction that was sent before: it finds that one.
 *
 * A refusal because of an unknown blockhash is believed only when the blockhash is over: a node may be behind. With
 * `blockhashSlot`, nodes that are behind say so. A transaction with a durable nonce never expires by its age: it is given up
 * when the nonce has advanced without it.
 *
 * An error on chain counts from `confirmed` on. An expiry counts when it is finalized, about 13 s later. A refusal by
 * the preflight applies to this send only: the transaction, if another call sent it before, can land until its last
 * valid block height.
 *
 * @returns its signature and slot
 * @throws TransactionError (ProgramError, FrameworkError, InstructionError) when it fails
 * @throws TransactionExpiredError when its blockhash expired, or its nonce has advanced: it can never land
 * @throws OutcomeUnknownError when the node does not know the outcome: it may have landed, or may still land
 * @throws InvalidArgumentError for a transaction that is not signed
 * @throws the signal's reason
 */
export async function sendAndConfirm(
  connection: Connection,
  prepared: Pick<PreparedTransaction, 'transaction' | 'lastValidBlockHeight' | 'nonce'> &
    Partial<Pick<PreparedTransaction, 'blockhashSlot'>>,
  options: ConfirmOptions = {},
): Promise<{ signature: string; slot: number }> {
  requireConnection(connection);
  requireObject('prepared', prepared);
  requireKnown('options', options, CONFIRM_OPTIONS);
  if (options.stallTimeoutMs !== undefined) requireStallTimeout(options.stallTimeoutMs);
  return sendUntilLanded(connection, prepared, options);
}

/** The same, of arguments that are checked. */
export async function sendUntilLanded(
  connection: Connection,
  prepared: Parameters<typeof sendAndConfirm>[1],
  options: ConfirmOptions,
): Promise<{ signature: string; slot: number }> {
  const { transaction, lastValidBlockHeight, nonce, blockhashSlot = nonce?.slot } = prepared;
  const { commitment = 'confirmed', skipPreflight = false, deployment, stallTimeoutMs, proof } = options;
  const { signal, send = (raw, config) => sendTo(connection, raw, config) } = options;
  const signature = signatureOf(transaction);
  const bytes = transaction.serialize();
  const context: FailureContext = { instructions: transaction, deployment, signature };
  const sent = { signature, lastValidBlockHeight, nonce };
  const look = landingLook(connection, sent, { proof });
  /** The error of the preflight. It counts while no other attempt can have reached the cluster. */
  let refusal: TransactionError | undefined;
  let isSentAgain = false;
  const outcome = await track({
    commitment,
    stallTimeoutMs,
    signal,
    send: async (attempt) => {
      // The node has refused every attempt: sending it again, without a preflight, could make it land.
      const isRefused = refusal !== undefined;
      if (isRefused && !mayPass(refusal)) return;
      const skip = skipPreflight || (attempt > 0 && !isRefused);
      if (attempt > 0 && !isRefused) isSentAgain = true;
      // A node that does not know the blockhash yet says that it is behind, instead of refusing the transaction.
      const atLeast = skip || blockhashSlot === undefined ? {} : { minContextSlot: blockhashSlot };
      try {
        const rules = { skipPreflight: skip, preflightCommitment: commitment, maxRetries: 0 };
        await send(bytes, { ...rules, ...atLeast });
        refusal = undefined;
      } catch (error) {
        if (!isSentAgain) refusal = refusalIn(error, context);
        throw error;
      }
    },
    look: async (retry) => {
      const found = await look(retry);
      const { kind } = found.landing;
      // If the transaction landed despite the refusal, an earlier call had sent it.
      if (kind === 'landed') refusal = undefined;
      else if (refusal !== undefined && mayPass(refusal)) {
        if (kind !== 'pending' || (await isOver(connection, sent, retry))) throw refusal;
      } else if (refusal !== undefined && (kind === 'pending' || kind === 'expired')) throw refusal;
      return found;
    },
  });
  const { slot } = await requireLanded(connection, outcome, sent, context);
  return { signature, slot };
}

/** Whether a refusal may pass by itself: a node that is behind does not know the blockhash yet. */
function mayPass(refusal: TransactionError | undefined): boolean {
  return refusal !== undefined && /blockhash ?not ?found/i.test(refusal.reason);
}

/** Whether the blockhash is too old for the node. A node that has the slot of a nonce and refuses it has another value. */
async function isOver(
  connection: Connection,
  { lastValidBlockHeight, nonce }: SignedTransaction,
  retry: Retry,
): Promise<boolean> {
  if (nonce !== undefined) return true;
  const asked = askedOf(connection, 'getBlockHeight');
  const height = await retry(() => connection.getBlockHeight('confirmed'), undefined, asked);
  return height > lastValidBlockHeight;
}
