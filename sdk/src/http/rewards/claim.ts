// Submits a claim that the wallet has signed, and asks the service for its status until it is paid or has ended.
import type { Connection } from '@solana/web3.js';
import { Backoff } from '../../backoff.js';
import { CurvekitError } from '../../errors.js';
import type { ClaimStatus } from '../../generated/api/rewards.js';
import { sleep } from '../../sleep.js';
import { ApiError, ConnectionError } from '../errors.js';

/** How a claim stands. */
export type ClaimState = ClaimStatus['status'];

/** What `claim` has done so far. */
export type ClaimProgress =
  /** `amount` is what the claim gives: lamports after the network fee, or token units. */
  | { readonly stage: 'initiated'; readonly signature: string; readonly amount: bigint }
  /** Keep both: `follow` goes on with them when the program has ended meanwhile. */
  | { readonly stage: 'signed'; readonly signature: string; readonly transaction: Uint8Array }
  | { readonly stage: 'submitted'; readonly signature: string }
  | { readonly stage: 'status'; readonly signature: string; readonly status: ClaimState }
  /** The service does not say for now. The claim goes on, and so does following it. */
  | {
      readonly stage: 'unknown';
      readonly signature: string;
      readonly problem: ApiError | ConnectionError;
    };

/** How to submit and follow a claim. */
export interface ClaimOptions {
  /** Submits the transaction. */
  readonly connection: Pick<Connection, 'sendRawTransaction'>;
  /** Told of each step. */
  readonly onProgress?: ((progress: ClaimProgress) => void) | undefined;
  /** Stops following. A claim that was submitted goes on by itself. */
  readonly signal?: AbortSignal | undefined;
  /** First pause between two looks at the status; later ones are longer, for looks are limited. 1,000 ms by default. */
  readonly pollMs?: number | undefined;
}

/** The claim came to another end than being paid. A new one can be initiated. */
export class ClaimEndedError extends CurvekitError {
  constructor(
    readonly signature: string,
    readonly status: 'FAILED' | 'EXPIRED',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'ClaimEndedError';
  }
}

/** The service refuses to tell the status of a claim that was signed. It may be paid: ask `status` with its signature. */
export class ClaimUnknownError extends CurvekitError {
  constructor(
    readonly signature: string,
    override readonly cause: ApiError,
  ) {
    super(`the status of claim ${signature} is unknown: ${cause.message}`, { cause });
    this.name = 'ClaimUnknownError';
  }
}

/** A claim that the wallet has signed. */
export interface SignedClaim {
  readonly signature: string;
  /** Serialized. */
  readonly transaction: Uint8Array;
}

const DEFAULT_POLL_MS = 1_000;
const LONGEST_POLL_MS = 10_000;
const POLL_GROWTH = 1.5;

/** @param ask asks the service once @throws ClaimEndedError, ClaimUnknownError; the signal's reason */
export async function followClaim(
  { signature, transaction }: SignedClaim,
  ask: () => Promise<ClaimStatus>,
  { connection, onProgress, signal, pollMs = DEFAULT_POLL_MS }: ClaimOptions,
): Promise<void> {
  let submitted = false;
  let problem: unknown;
  let last: ClaimState | undefined;
  let askAt = 0;
  const pauses = new Backoff({ firstMs: pollMs, longestMs: LONGEST_POLL_MS, factor: POLL_GROWTH });
  for (;;) {
    // Again and again until it has landed: nodes drop transactions, and the same one never lands twice.
    try {
      await connection.sendRawTransaction(transaction, { skipPreflight: submitted, maxRetries: 0 });
      if (!submitted) onProgress?.({ stage: 'submitted', signature });
      submitted = true;
    } catch (error) {
      // It may have landed already; the status tells.
      problem = error;
    }
    await sleep(pauses.next(), signal);
    if (performance.now() < askAt) continue;
    let answer: ClaimStatus;
    try {
      answer = await ask();
    } catch (error) {
      const unknown = requirePassing(error, signature);
      if (unknown instanceof ApiError) askAt = performance.now() + (unknown.retryAfterMs ?? 0);
      onProgress?.({ stage: 'unknown', signature, problem: unknown });
      continue;
    }
    const { status, message } = answer;
    if (status !== last) onProgress?.({ stage: 'status', signature, status });
    last = status;
    if (status === 'COMPLETED') return;
    if (status !== 'IN_PROGRESS') {
      throw new ClaimEndedError(signature, status, message, submitted ? undefined : { cause: problem });
    }
  }
}

/**
 * An error of a request for the status after which asking again can help.
 *
 * @throws ClaimUnknownError when the API refuses for good; any other error as it is
 */
function requirePassing(error: unknown, signature: string): ApiError | ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (!(error instanceof ApiError)) throw error;
  // A refusal without a code comes from a proxy before the API.
  if (error.status === 429 || error.status >= 500 || error.code === 'UNKNOWN') return error;
  throw new ClaimUnknownError(signature, error as ApiError);
}
