// The landing tracker: sends a signed transaction and looks it up until its outcome is certain. It resends the
// transaction while it waits, because nodes drop transactions under load and the same signed transaction never lands
// twice.
import type { Connection } from '../chain/types.js';
import { requireInteger } from '../checks/keys.js';
import { notA } from '../errors/base.js';
import { requireObject } from '../checks/options.js';
import { throwIfAborted } from '../platform/abort.js';
import { Backoff, type BackoffLimits } from '../time/backoff.js';
import {
  hasReached,
  type Landing,
  type LandingCommitment,
  type LandingOutcome,
  type SignedTransaction,
} from './landing.js';
import { lookForLanding, type LandingLook, type LandingLookOptions } from './look.js';
import { Requests, StalledError, type Retry } from './requests.js';

/** Options of the landing tracker. */
export interface TrackOptions {
  /** Default `confirmed`. A failure on chain counts from `confirmed` on. */
  readonly commitment?: LandingCommitment | undefined;
  /**
   * Looks up the transaction. An error that it throws ends the tracking. @param retry repeats requests until the node
   * answers
   */
  readonly look: (retry: Retry) => Promise<LandingLook>;
  /** Sends the transaction. An error is ignored: the next look-up shows whether it landed. @param attempt from 0 */
  readonly send: (attempt: number) => Promise<unknown>;
  /** Looks up the transaction before the first send, because it may have been sent before. */
  readonly looksFirst?: boolean | undefined;
  /** How long to wait for a trace of the transaction before resending. Default 2,000 ms. */
  readonly resendAfterMs?: number | undefined;
  /** Pauses between look-ups. Default 20 ms to 500 ms. */
  readonly pauses?: BackoffLimits | undefined;
  /** How long to continue with a node that reports nothing new. Default 120,000 ms. */
  readonly stallTimeoutMs?: number | undefined;
  /** How long to continue with a node that does not answer. Default: `stallTimeoutMs`. */
  readonly failureTimeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const DEFAULT_PAUSES = { firstMs: 20, longestMs: 500 };
const DEFAULT_RESEND_AFTER_MS = 2_000;
const DEFAULT_STALL_TIMEOUT_MS = 120_000;
const LONGEST_STALL_TIMEOUT_MS = 3_600_000;

/** A `look` for {@link trackLanding}, with an expiry proof that the caller trusts. */
export function landingLook<T extends SignedTransaction>(
  connection: Connection,
  transaction: T,
  options: Omit<LandingLookOptions<T>, 'retry'> = {},
): TrackOptions['look'] {
  return (retry) => lookForLanding(connection, transaction, { ...options, retry });
}

/**
 * Sends a transaction repeatedly until it has landed with the commitment, has expired, or the node does not know its
 * outcome.
 *
 * @throws InvalidArgumentError for a stall timeout out of range; errors of `look`; the signal's reason
 */
export async function trackLanding(options: TrackOptions): Promise<LandingOutcome> {
  requireObject('options', options);
  for (const name of ['look', 'send'] as const)
    if (typeof options[name] !== 'function') throw notA(name, 'a function', options[name]);
  if (options.stallTimeoutMs !== undefined) requireStallTimeout(options.stallTimeoutMs);
  return track(options);
}

/** @throws InvalidArgumentError */
export function requireStallTimeout(ms: number): void {
  requireInteger('stallTimeoutMs', ms, LONGEST_STALL_TIMEOUT_MS, 1);
}

/** The same, of options that are checked. */
export async function track(options: TrackOptions): Promise<LandingOutcome> {
  const { look, commitment = 'confirmed', resendAfterMs = DEFAULT_RESEND_AFTER_MS, signal } = options;
  const { stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS } = options;
  const failureTimeoutMs = options.failureTimeoutMs ?? stallTimeoutMs;
  const requests = new Requests({ stallTimeoutMs, failureTimeoutMs }, signal);
  const pauses = new Backoff(options.pauses ?? DEFAULT_PAUSES);
  /** The error of the last send. Undefined when it succeeded. */
  let problem: unknown;
  let attempts = 0;
  let sentAt = -Infinity;
  const send = async () => {
    sentAt = Date.now();
    problem = undefined;
    await requests.once(options.send(attempts++)).catch((error: unknown) => {
      problem = error;
    });
    throwIfAborted(signal);
  };
  try {
    throwIfAborted(signal);
    if (options.looksFirst !== true) await send();
    for (let furthest = 0; ;) {
      const { landing, progress } = await look(requests.retry);
      const outcome = outcomeOf(landing, commitment);
      if (outcome !== undefined) return withCause(outcome, problem);
      if (progress > furthest) requests.progress();
      furthest = Math.max(furthest, progress);
      if (landing.kind !== 'landed' && Date.now() - sentAt >= resendAfterMs) await send();
      await requests.pause(pauses.next(), problem);
    }
  } catch (error) {
    if (!(error instanceof StalledError)) throw error;
    return { kind: 'unknown', reason: error.message, cause: error.cause };
  }
}

/** A `processed` block can be dropped in a reorg, together with its errors. */
function outcomeOf(landing: Landing, commitment: LandingCommitment): LandingOutcome | undefined {
  if (landing.kind === 'pending' || landing.kind === 'expiring') return undefined;
  if (landing.kind !== 'landed') return landing;
  const needed = landing.err !== null && commitment === 'processed' ? 'confirmed' : commitment;
  return hasReached(landing.commitment, needed) ? landing : undefined;
}

function withCause(outcome: LandingOutcome, cause: unknown): LandingOutcome {
  return outcome.kind === 'landed' || cause === undefined ? outcome : { cause, ...outcome };
}
