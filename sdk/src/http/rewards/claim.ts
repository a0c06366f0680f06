// Submits a claim that the wallet has signed, and polls its status until it is paid or has ended.
import type { OptionNames } from '../../checks/options.js';
import { encodeBase64 } from '../../encoding/base64.js';
import { CurvekitError, InvalidArgumentError } from '../../errors/index.js';
import type { ClaimStatus } from '../../generated/api/rewards.js';
import { throwIfAborted } from '../../platform/abort.js';
import { answered } from '../../rpc/ask.js';
import { Backoff } from '../../time/backoff.js';
import { sleep } from '../../time/sleep.js';
import { ApiError, ConnectionError } from '../errors.js';

/** The status of a claim. */
export type ClaimState = ClaimStatus['status'];

/** The progress of `claim`. */
export type ClaimProgress =
  /** `amount` is what the wallet receives: lamports after the network fee, or token units. */
  | { readonly stage: 'initiated'; readonly signature: string; readonly amount: bigint }
  /** Store both. After a crash, pass them to `follow` to continue the claim. */
  | { readonly stage: 'signed'; readonly signature: string; readonly transaction: Uint8Array }
  | { readonly stage: 'submitted'; readonly signature: string }
  | { readonly stage: 'status'; readonly signature: string; readonly status: ClaimState }
  /** The status is temporarily unavailable. The claim and the polling continue. */
  | {
      readonly stage: 'unknown';
      readonly signature: string;
      readonly problem: ApiError | ConnectionError;
    };

/** A node over web3.js: its Connection. */
export interface ClaimConnection {
  /** Sends a serialized transaction. */
  sendRawTransaction(
    transaction: Uint8Array,
    options: { skipPreflight: boolean; maxRetries: number },
  ): Promise<unknown>;
}

/** A node over Kit, for example `createSolanaRpc(url)`. */
export interface ClaimRpc {
  /** Prepares to send a transaction in Base64. */
  sendTransaction(
    transaction: never,
    options: never,
  ): {
    /** Sends it. */
    send(): Promise<unknown>;
  };
}

/** Options for submitting and following a claim. One of `connection` and `rpc` submits the transaction. */
export interface ClaimOptions {
  readonly connection?: ClaimConnection | undefined;
  readonly rpc?: ClaimRpc | undefined;
  /** Called for each step. */
  readonly onProgress?: ((progress: ClaimProgress) => void) | undefined;
  /** Stops following. A submitted claim continues without the client. */
  readonly signal?: AbortSignal | undefined;
  /**
   * First pause between two status requests, default 1,000 ms. Later pauses are longer, because the requests are
   * rate-limited.
   */
  readonly pollMs?: number | undefined;
}

export const CLAIM_OPTIONS = {
  connection: true,
  rpc: true,
  onProgress: true,
  signal: true,
  pollMs: true,
} as const satisfies OptionNames<ClaimOptions>;

/** The claim ended without payment. You can initiate a new one. */
export class ClaimEndedError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'ClaimEndedError';
  constructor(
    readonly signature: string,
    readonly status: 'FAILED' | 'EXPIRED',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The service refuses to return the status of a signed claim. It may be paid: call `status` with its signature. */
export class ClaimUnknownError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'ClaimUnknownError';
  constructor(
    readonly signature: string,
    override readonly cause: ApiError,
  ) {
    super(`the status of claim ${signature} is unknown: ${cause.message}`, { cause });
  }
}

/** A claim that the wallet has signed. */
export interface SignedClaim {
  readonly signature: string;
  /** The serialized transaction. */
  readonly transaction: Uint8Array;
}

/** A node that does not answer must not keep the client from asking for the status. */
const SEND_TIMEOUT_MS = 10_000;
const DEFAULT_POLL_MS = 1_000;
const LONGEST_POLL_MS = 10_000;
const POLL_GROWTH = 1.5;
/** A longer `Retry-After` is cut to so many polls: a minute by default. A claim is decided within two or three. */
const LONGEST_RETRY_AFTER_POLLS = 60;

/** Calls the callback. The claim continues even if it throws: an error of a display must not hide a payment. */
export function telling(onProgress: ClaimOptions['onProgress']): (progress: ClaimProgress) => void {
  return (progress) => {
    try {
      onProgress?.(progress);
    } catch {
      // See above.
    }
  };
}

/** @throws InvalidArgumentError unless the options name one node */
export function submitterOf({ connection, rpc }: Pick<ClaimOptions, 'connection' | 'rpc'>) {
  if ((connection === undefined) === (rpc === undefined))
    throw new InvalidArgumentError('options', 'must have connection (of web3.js) or rpc (of Kit)');
  return (transaction: Uint8Array, skipPreflight: boolean): Promise<unknown> => {
    if (connection !== undefined)
      return connection.sendRawTransaction(transaction, { skipPreflight, maxRetries: 0 });
    const options = { encoding: 'base64', skipPreflight, maxRetries: 0n };
    return rpc!.sendTransaction(encodeBase64(transaction) as never, options as never).send();
  };
}

/** @param ask requests the status once @throws ClaimEndedError, ClaimUnknownError; the signal's reason */
export async function followClaim(
  { signature, transaction }: SignedClaim,
  ask: () => Promise<ClaimStatus>,
  { signal, pollMs = DEFAULT_POLL_MS, ...options }: ClaimOptions,
): Promise<void> {
  const submit = submitterOf(options);
  const onProgress = telling(options.onProgress);
  let submitted = false;
  let problem: unknown;
  let last: ClaimState | undefined;
  let askAt = 0;
  const pauses = new Backoff({ firstMs: pollMs, longestMs: LONGEST_POLL_MS, factor: POLL_GROWTH });
  for (;;) {
    // Resubmits until the transaction has landed: nodes drop transactions, and the same one never lands twice.
    try {
      await answered(submit(transaction, submitted), SEND_TIMEOUT_MS, signal);
      if (!submitted) onProgress({ stage: 'submitted', signature });
      submitted = true;
    } catch (error) {
      throwIfAborted(signal);
      // The transaction may have landed already. The status shows it.
      problem = error;
    }
    await sleep(pauses.next(), signal);
    if (performance.now() < askAt) continue;
    let answer: ClaimStatus;
    try {
      answer = await ask();
    } catch (error) {
      const unknown = requirePassing(error, signature);
      const asked = unknown instanceof ApiError ? (unknown.retryAfterMs ?? 0) : 0;
      askAt = performance.now() + Math.min(asked, LONGEST_RETRY_AFTER_POLLS * pollMs);
      onProgress({ stage: 'unknown', signature, problem: unknown });
      continue;
    }
    const { status, message } = answer;
    if (status !== last) onProgress({ stage: 'status', signature, status });
    last = status;
    if (status === 'COMPLETED') return;
    if (status !== 'IN_PROGRESS') {
      throw new ClaimEndedError(signature, status, message, submitted ? undefined : { cause: problem });
    }
  }
}

/**
 * Returns an error of a status request if a retry can help.
 *
 * @throws ClaimUnknownError when the API refuses permanently; any other error unchanged
 */
function requirePassing(error: unknown, signature: string): ApiError | ConnectionError {
  if (error instanceof ConnectionError) return error;
  if (!(error instanceof ApiError)) throw error;
  // A refusal without a code comes from a proxy in front of the API.
  if (error.status === 429 || error.status >= 500 || error.code === 'UNKNOWN') return error;
  throw new ClaimUnknownError(signature, error as ApiError);
}
