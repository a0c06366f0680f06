// Sends a signed transaction and follows it until its end is sure. Who is told that it failed signs another one, so
// failures and expiry are reported only when they are final as far as the node can say.
import type { Connection, SignatureStatus } from '@solana/web3.js';
import { fetchTransaction } from './confirmed-transaction.js';
import { OutcomeUnknownError, TransactionExpiredError, type TransactionError } from './errors.js';
import { lookFor, type Sight } from './landing.js';
import { isWithoutHistory } from './rpc-errors.js';
import { signatureOf } from './signature.js';
import { withinTime } from './time-limit.js';
import { confirmedError, sendError, transactionError, type FailureContext } from './transaction-errors.js';
import type { PreparedTransaction, TransactionOptions } from './transactions.js';
import { requireInteger } from './validation.js';

/** How long to wait for a transaction, and for what. */
export interface ConfirmOptions extends TransactionOptions {
  readonly commitment?: 'processed' | 'confirmed' | 'finalized' | undefined;
  /** Skips the RPC node's own simulation, for one that {@link prepareTransaction} has just done. */
  readonly skipPreflight?: boolean | undefined;
  /** For how long to go on with a node that does not answer, or tells nothing new. 120,000 ms by default. */
  readonly patienceMs?: number | undefined;
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
 * @throws TransactionExpiredError when its blockhash ran out: it can never land
 * @throws OutcomeUnknownError when the node does not tell: it may have landed, or still land
 * @throws InvalidArgumentError for a transaction that is not signed
 */
export async function sendAndConfirm(
  connection: Connection,
  { transaction, lastValidBlockHeight }: Pick<PreparedTransaction, 'transaction' | 'lastValidBlockHeight'>,
  { commitment = 'confirmed', skipPreflight = false, deployment, patienceMs = 120_000 }: ConfirmOptions = {},
): Promise<{ signature: string; slot: number }> {
  const signature = signatureOf(transaction);
  const witness = new Witness(connection, signature, lastValidBlockHeight, patienceMs);
  const bytes = transaction.serialize();
  const context: FailureContext = { instructions: transaction, deployment, signature };
  /** Why the last sending failed; undefined when it didn't. */
  let trouble: unknown;
  const send = async (skip: boolean) => {
    const options = { skipPreflight: skip, preflightCommitment: commitment, maxRetries: 0 };
    trouble = undefined;
    await witness.once(connection.sendRawTransaction(bytes, options)).catch((error: unknown) => {
      trouble = error;
    });
  };
  await send(skipPreflight);
  let refusal = refusalIn(trouble, context);

  let sentAt = Date.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const { status, absence } = await witness.look();
    if (status !== null) {
      // What was refused had been sent before.
      refusal = undefined;
      if (status.err === null) {
        if (hasReached(status, commitment)) return { signature, slot: status.slot };
        // A block that only this node has seen so far may be lost, and its errors with it.
      } else if (hasReached(status, commitment === 'processed' ? 'confirmed' : commitment)) {
        throw await failure(connection, witness, status.err, context);
      }
    } else {
      if (refusal !== undefined && (absence === 'so far' || absence === 'for good')) throw refusal;
      if (absence === 'for good') throw new TransactionExpiredError(signature, lastValidBlockHeight, trouble);
      if (absence === 'forgotten') {
        throw new OutcomeUnknownError(
          signature,
          'the RPC node does not keep the blocks that it would be in; ask one with full history',
        );
      }
    }
    await witness.pause(pause, trouble);
    if (status === null && absence === 'so far' && Date.now() - sentAt >= RESEND_AFTER_MS) {
      sentAt = Date.now();
      await send(true);
    }
  }
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
const LONGEST_RETRY_PAUSE_MS = 5_000;
const RESEND_AFTER_MS = 2_000;
const REQUEST_LIMIT_MS = 10_000;
const COMMITMENTS = ['processed', 'confirmed', 'finalized'];
const ALREADY_PROCESSED = /already been processed|AlreadyProcessed/i;
/** What a node answers for reasons of its own. */
const OUTAGE =
  /node is (unhealthy|behind)|^internal error|rate limit|too many requests|minimum context slot|timed? ?out/i;

/** A node that is asked for one transaction, as long as patience lasts. */
class Witness {
  readonly #limit: number;
  /** Milliseconds left. Not a point in time: a computer that sleeps meanwhile has not lost its patience. */
  #patience: number;
  #height = 0;

  constructor(
    private readonly connection: Connection,
    private readonly signature: string,
    private readonly lastValidBlockHeight: number,
    private readonly patienceMs: number,
  ) {
    this.#patience = requireInteger('patienceMs', patienceMs, 3_600_000, 1);
    this.#limit = Math.min(REQUEST_LIMIT_MS, patienceMs / 4);
  }

  /** One request, which may hang. */
  once<T>(request: Promise<T>): Promise<T> {
    return withinTime(request, this.#limit);
  }

  /** @throws OutcomeUnknownError when the node does not answer */
  async look(): Promise<Sight> {
    const sight = await lookFor(this.connection, this.signature, this.lastValidBlockHeight, (request) =>
      this.#ask(request),
    );
    // Once it has passed nothing new is to come but the decision itself.
    if (sight.height > this.#height && sight.height <= this.lastValidBlockHeight) {
      this.#patience = this.patienceMs;
    }
    this.#height = Math.max(this.#height, sight.height);
    return sight;
  }

  /** @throws OutcomeUnknownError when patience is over */
  async pause(milliseconds: number, cause?: unknown): Promise<void> {
    this.#patience -= milliseconds;
    if (this.#patience <= 0) {
      const problem = `the RPC node has told nothing new for ${this.patienceMs} ms`;
      throw new OutcomeUnknownError(this.signature, problem, cause);
    }
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  async #ask<T>(request: () => Promise<T>): Promise<T> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_RETRY_PAUSE_MS)) {
      const since = Date.now();
      try {
        return await this.once(request());
      } catch (error) {
        if (isWithoutHistory(error)) throw error;
        this.#patience -= Math.min(Date.now() - since, this.#limit);
        await this.pause(pause, error);
      }
    }
  }
}

/** What the node found wrong with the transaction; undefined when it has it already, or did not look at it. */
function refusalIn(error: unknown, context: FailureContext): TransactionError | undefined {
  const refusal = sendError(error, context);
  if (refusal === undefined || ALREADY_PROCESSED.test(refusal.reason) || OUTAGE.test(refusal.reason))
    return undefined;
  return refusal;
}

/** The log names the program that failed; without it the instruction's program has to do. */
async function failure(
  connection: Connection,
  witness: Witness,
  err: unknown,
  context: FailureContext,
): Promise<Error> {
  const response = await witness
    .once(fetchTransaction(connection, context.signature ?? '', 'confirmed'))
    .catch(() => null);
  const error = response === null ? null : confirmedError(response, context);
  return error ?? transactionError(err, context);
}

/** Statuses of old transactions come without their name, and without confirmations. */
function hasReached({ confirmationStatus, confirmations }: SignatureStatus, commitment: string): boolean {
  const reached = confirmationStatus ?? (confirmations === null ? 'finalized' : undefined);
  return reached !== undefined && COMMITMENTS.indexOf(reached) >= COMMITMENTS.indexOf(commitment);
}
